"""drive_report.py SHOTS RACE RING EVIL LARGE LIST ORDERS -- pages of reports in a browser, as a reader uses them (tests/report.sh)."""
import sys
sys.path.insert(0, __file__.rsplit("/", 1)[0])
from browser import Browser

shots, race, ring, evil, large, ring_list, orders = sys.argv[1:]


def say(name, ok, why=""):
    print(f"ok - {name}" if ok else f"not ok - {name}: {why}", flush=True)


def text(b, selector):
    return b.run(f"document.querySelector({selector!r})?.textContent ?? null")


def quiet(b, name):
    complaints = b.complaints()
    say(f"{name}: the console says nothing, and nothing is fetched", not complaints, complaints[:2])


# ---- from the summary to a line of source ----
b = Browser()
b.open(race)
say("the page is drawn", b.run("document.documentElement.dataset.ready") == "yes", "no data-ready")
say("the summary says how many findings there are", "findings" in (text(b, "#summary h1") or ""), text(b, "#summary h1"))
b.screenshot(f"{shots}/summary-light.png")
b.click(".list a[href='#finding-2']")
say("a finding is reached from the list", b.run("location.hash") == "#finding-2", b.run("location.hash"))
lanes = "#finding-2 .lanes"
b.run(f"document.querySelector({lanes!r}).focus()")
b.key("Home")
say("the first step of its interleaving", "creates thread 1" in (text(b, "#finding-2 .now") or ""), text(b, "#finding-2 .now"))
seen, before = [], None
for _ in range(60):
    seen.append(text(b, "#finding-2 .now"))
    if "reads 'balance'" in seen[-1]:
        break
    b.key("ArrowDown")
say("steps follow each other by keys", "reads 'balance'" in seen[-1] and len(set(seen)) == len(seen), seen[-1])
say("a step shows its source line", text(b, "#finding-2 .player .source .row.at span:last-child").strip("\u200b ") == "int before = balance;",
    text(b, "#finding-2 .player .source .row.at"))
say("racing accesses are marked", b.run(f"document.querySelectorAll('{lanes} .step.race').length") >= 2, "less than two")
say("locks that are held are drawn", b.run(f"document.querySelectorAll('{lanes} .held').length") > 0, "none")
say("and said", "holds door" in " ".join(b.run(f"""[...document.querySelectorAll('{lanes} .step')].map(s => (s.click(), document.querySelector('#finding-2 .now').textContent))""")), "no")
b.click(f"{lanes} .step.fails")
say("the last step is the failure, at its line", "assert(balance" in text(b, "#finding-2 .player .source .row.at"), text(b, "#finding-2 .player .source .row.at"))
b.screenshot(f"{shots}/interleaving-light.png")
b.click("#finding-2 header a[data-file]")
say("its place leads to the whole source", "assert(balance" in text(b, "#source-text .row.at"), text(b, "#source-text .row.at"))
b.run("document.body.focus(); window.scrollTo({top: 0, behavior: 'instant'})")
b.key("/", "/")
say("a key leads to the search", b.run("document.activeElement.id") == "query", b.run("document.activeElement.id"))
b.call("Input.insertText", text="visits")
say("the search finds lines of source", "race.c" in (text(b, "#results") or "") or "again.c" in (text(b, "#results") or ""), text(b, "#results"))
b.key("Escape")
b.run("document.activeElement.blur()")
was = b.run("getComputedStyle(document.body).backgroundColor")
b.key("t", "t")
say("a key turns it dark", b.run("getComputedStyle(document.body).backgroundColor") != was, was)
b.screenshot(f"{shots}/summary-dark.png")
b.run("document.querySelector('#speed').scrollIntoView({behavior: 'instant'})")
say("charts are drawn", b.run("document.querySelectorAll('svg.chart rect, svg.chart polyline').length") > 2, "none")
say("tests are listed, with a tree", b.run("document.querySelectorAll('#tests-body tr').length") > 1 and b.run("document.querySelectorAll('#tree li').length") > 1, "none")
say("every button and field has a name", b.run("""[...document.querySelectorAll('button, input, select, [role=listbox], svg[role=img]')].every(e => (e.getAttribute('aria-label') || e.textContent || e.labels?.length))"""), "one has none")
# Contrast of text and what is behind it, both ways: 4.5 is what WCAG asks for.
CONTRAST = """(() => { const light = c => { const v = c.match(/[\\d.]+/g).slice(0, 3).map(x => x / 255).map(x => x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4); return .2126 * v[0] + .7152 * v[1] + .0722 * v[2]; };
  const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\\)$|transparent|color\\(/.test(c)) return c; } return 'rgb(255, 255, 255)'; };
  const bad = []; for (const e of document.querySelectorAll('h1, h2, h3, p, dt, dd, small, a, .badge, .pill, .no, .what, .place, .k, .s, .c, .d, td, th')) { if (!e.textContent.trim() || !e.offsetParent) continue;
    const a = light(getComputedStyle(e).color), z = light(behind(e)), ratio = (Math.max(a, z) + .05) / (Math.min(a, z) + .05); if (ratio < 4.5) bad.push(`${e.className || e.tagName} ${ratio.toFixed(2)}`); } return [...new Set(bad)]; })()"""
for name in ("dark", "light"):
    b.run(f"document.documentElement.dataset.theme = '{name}'")
    poor = b.run(CONTRAST)
    say(f"contrast is enough, {name}", not poor, poor[:4])
quiet(b, "a page")
b.close()

# ---- a phone ----
b = Browser(390, 844)
b.open(race)
say("on a phone nothing is wider than the screen", b.run("document.documentElement.scrollWidth") <= 390, b.run("document.documentElement.scrollWidth"))
b.screenshot(f"{shots}/summary-phone.png")
b.run("document.querySelector('#finding-2 .player').scrollIntoView({behavior: 'instant'})")
b.screenshot(f"{shots}/interleaving-phone.png")
quiet(b, "a phone")
b.close()

# ---- without scripts ----
b = Browser(scripts=False)
b.open(race)
document = b.call("DOM.getDocument", depth=-1)
found = b.call("DOM.performSearch", query="#finding-2 pre.story")
say("without scripts findings are there", found["resultCount"] == 1, found["resultCount"])
b.screenshot(f"{shots}/without-scripts.png")
quiet(b, "without scripts")
b.close()

# ---- messages of processes ----
b = Browser(dark=True)
b.open(ring)
say("messages are arrows", b.run("document.querySelectorAll('.lanes .arrow').length") > 2, "none")
b.run("document.querySelector('.lanes .arrow').closest('.step').click()")
say("a message leads to where it was received", b.run("document.querySelectorAll('.player .source .row.at').length") == 1, "nowhere")
b.run("document.querySelector('.player').scrollIntoView({behavior: 'instant'})")
b.screenshot(f"{shots}/messages-dark.png")
quiet(b, "messages")

# ---- a hostile page ----
b.events = []
b.open(evil)
b.run("[...document.querySelectorAll('.lanes .step')].forEach(s => s.click())")
b.run("document.querySelector('#query').value = 'alert'; document.querySelector('#query').dispatchEvent(new Event('input'))")
say("a hostile page is drawn", b.run("document.documentElement.dataset.ready") == "yes", "no data-ready")
say("what it says made no elements", b.run("document.querySelectorAll('script').length") == 2 and b.run("document.querySelectorAll('img, iframe, object').length") == 0, "it did")
say("what it says can be read", "alert('label')" in b.run("document.body.innerText"), "it is not there")
quiet(b, "a hostile page")

# ---- coverage and memory ----
b.events = []
b.open(ring_list)
say("pointers are arrows between boxes", b.run("document.querySelectorAll('svg.memory .box').length") == 3 and b.run("document.querySelectorAll('svg.memory path.arrow').length") == 3, b.run("document.querySelector('.graph')?.innerHTML"))
say("and told to who cannot see them", "points to the object of" in (b.run("document.querySelector('svg.memory')?.getAttribute('aria-label')") or ""), "no")
say("lines have counts", b.run("document.querySelectorAll('#coverage-text .row.yes').length") > 3 and b.run("document.querySelectorAll('#coverage-text .row.never').length") == 1, "others")
say("sides that are missing are said at their lines", "a < 3: in no test true" in (b.run("document.querySelector('#coverage-text').innerText") or ""), b.run("document.querySelector('#coverage-text').innerText")[:300])
b.run("document.querySelectorAll('.decision').forEach(d => d.open = true)")
say("a decision is a table of vectors", b.run("[...document.querySelectorAll('.decision')].map(d => d.querySelectorAll('tbody tr').length).join()") == "4,3,3", b.run("[...document.querySelectorAll('.decision')].map(d => d.querySelectorAll('tbody tr').length).join()"))
say("whose conditions are as they are written", "b > 0" in b.run("document.querySelector('.decision thead').innerText"), b.run("document.querySelector('.decision thead').innerText"))
b.run("document.querySelector('#tree-all').click()")
say("ways that no test took are said to be infeasible", b.run("(() => { for (let i = 0; i < 9; i++) document.querySelectorAll('#tree button[aria-expanded=false]').forEach(x => x.click()); return document.querySelector('#tree').innerText.includes('infeasible'); })()"), b.run("document.querySelector('#tree').innerText")[:300])
b.run("document.querySelector('.graph').scrollIntoView({behavior: 'instant'})")
b.screenshot(f"{shots}/memory.png")
b.run("document.querySelector('#coverage').scrollIntoView({behavior: 'instant'})")
b.screenshot(f"{shots}/coverage.png")
quiet(b, "coverage and memory")

# ---- threads that sleep ----
b.events = []
b.open(orders)
OPEN = "(() => { for (let i = 0; i < 9; i++) document.querySelectorAll('#tree button[aria-expanded=false]').forEach(x => x.click()); return document.querySelector('#tree').innerText; })()"
shown = b.run(OPEN)
say("the tree has turns of threads, and at first only those", "thread 2 4 events" in shown and "asleep" not in shown, shown[:300])
b.run("document.querySelector('#tree-all').click()")
shown = b.run(OPEN)
say("threads that could go on and did not are asleep", "before event 4: thread 3 asleep" in shown and b.run("!document.querySelector('#tree').previousElementSibling.hidden"), shown[:600])
b.run("document.querySelector('#tree').scrollIntoView({behavior: 'instant'})")
b.screenshot(f"{shots}/asleep.png")
quiet(b, "threads that sleep")

# ---- a large page ----
def spent():
    """Processor time of the page's thread: a busy machine makes a page slower, and nothing else."""
    return next(m["value"] for m in b.call("Performance.getMetrics")["metrics"] if m["name"] == "TaskDuration")


b.events = []
b.call("Performance.enable", timeDomain="threadTicks")
begun = spent()
b.open(large)
say("a large page is usable in 2 s", spent() - begun < 2 and b.run("document.documentElement.dataset.ready") == "yes", f"{spent() - begun:.2f} s")
begun = spent()
b.run("document.querySelector('#tests-body button').click(); [...document.querySelectorAll('#tree .twig')].slice(0, 50).forEach(t => t.click())")
say("its lists open without a wait", spent() - begun < 1, f"{spent() - begun:.2f} s")
quiet(b, "a large page")
b.close()
say("the browser is closed", True)
