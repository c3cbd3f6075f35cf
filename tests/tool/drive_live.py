"""drive_live.py SHOTS URL RUN -- a run that goes on, in a browser: it grows, RUN is interrupted, the page becomes the report (tests/serve.sh)."""
import os, signal, sys, time
sys.path.insert(0, __file__.rsplit("/", 1)[0])
from browser import Browser

shots, url, run = sys.argv[1], sys.argv[2], int(sys.argv[3])


def say(name, ok, why=""):
    print(f"ok - {name}" if ok else f"not ok - {name}: {why}", flush=True)


def until(b, script, seconds=30):
    """Waits for a script to say something true; answers the last that it said."""
    end = time.monotonic() + seconds
    while True:
        try:
            value = b.run(script)
        except RuntimeError:  # the page is being replaced
            value = None
        if value or time.monotonic() > end:
            return value
        time.sleep(0.2)


b = Browser()
b.open(url)
say("a page follows the run", until(b, "document.documentElement.dataset.state") == "running", b.run("document.body.innerText")[:200])
EXECUTIONS = "Number(document.querySelector('#tiles dd').firstChild.textContent.replaceAll(',', ''))"
first = b.run(EXECUTIONS)
say("its numbers grow", until(b, f"{EXECUTIONS} > {first}"), first)
say("a finding arrives", until(b, "document.querySelectorAll('#list li').length > 0"), b.run("document.body.innerText")[:200])
say("with its place", "long.c:" in (b.run("document.querySelector('#list li').textContent") or ""), b.run("document.querySelector('#list li')?.textContent"))
say("curves are drawn", until(b, "document.querySelectorAll('#curves polyline').length == 2"), "none")
say("and units are listed", " open" in b.run("document.querySelector('#unit-words').textContent"), b.run("document.querySelector('#unit-words').textContent"))
b.run("Draw.changeTheme()")
b.screenshot(f"{shots}/live.png")
os.kill(run, signal.SIGINT)
say("when the run ends the page becomes its report", until(b, "document.querySelector('#finding-1 .badge') && document.querySelector('#data') && document.documentElement.dataset.ready"), b.run("document.body.innerText")[:200])
complaints = b.complaints()
say("the console says nothing, and nothing is fetched from elsewhere", not complaints, complaints[:2])
b.close()
say("the browser is closed", True)
