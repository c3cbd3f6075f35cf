# What `heddle replay --gdb` gives to gdb: stops in the user's own source, and commands about the threads of the program, which
# are fibers of one thread and which gdb does not know.
import gdb

REGION, LIMIT = 0x120000000000, 0x121000000000  # of the image: program/abi.h
FINDINGS = ("hd_end_filled", "hd_note_filled", "hd_stuck_told")  # where gdb.c puts breakpoints
here = {}  # registers of where gdb stopped, while another fiber is looked at
between = False  # two events: all threads stand before something


def number(expression):
    return int(gdb.parse_and_eval(expression))


def is_users(pc):
    symtab = gdb.find_pc_line(pc).symtab if REGION <= pc < LIMIT else None
    return symtab is not None and "<heddle" not in symtab.filename


def word(address):
    return number(f"*(unsigned long *){address:#x}")


def users_registers(rip, rsp, rbp):
    """Up the chain of frame pointers to the program's own code.  What lies between it and Heddle has no frames that gdb knows."""
    for _ in range(64):
        if is_users(rip):
            return {"rip": rip, "rsp": rsp, "rbp": rbp}
        if REGION <= rip < LIMIT:
            # Optimised code of the program may use rbp for something else: what called the image is near then.
            end = rbp if rsp < rbp < rsp + 8192 else rsp + 256
            found = next((at for at in range(rsp, end, 8) if is_users(word(at) - 1)), None)
            if found is not None:
                return {"rip": word(found) - 1, "rsp": found + 8, "rbp": rbp}
        if not rbp:
            return None
        # Inside the call: behind one that does not return may be another function, or nothing.
        rip, rsp, rbp = word(rbp + 8) - 1, rbp + 16, word(rbp)
    return None


def show(registers):
    if registers is None:
        gdb.write("no frame of the program is here; 'info heddle' lists its threads\n")
        return
    if not here:
        here.update({name: number(f"(unsigned long)${name}") for name in ("rip", "rsp", "rbp")})
    for name, value in registers.items():
        gdb.execute(f"set var ${name} = {value:#x}")
    gdb.execute("frame")


def come_back():
    for name, value in here.items():
        gdb.execute(f"set var ${name} = {value:#x}")
    here.clear()


def show_here():
    come_back()
    show(users_registers(*(number(f"(unsigned long)${name}") for name in ("rip", "rsp", "rbp"))))


def show_fiber(thread):
    saved = number(f"(unsigned long)hd_now->thread[{thread}].saved")
    show(users_registers(word(saved + 56), saved + 64, word(saved + 48)))  # as hd_fiber_switch pushes them


def place(site):
    s = gdb.parse_and_eval(f"hd_now->image->sites[{site}]")
    return f"{s['file'].string()}:{int(s['line'])} in {s['function'].string()}" if int(s["line"]) else "an unknown place"


def check_running():
    if not gdb.selected_inferior().pid or not number("(unsigned long)hd_now"):
        raise gdb.GdbError("the tested program does not run: it has ended, or 'run' begins it again")


def current():
    return number("hd_now->threads.current")


def state_of(i):
    t = gdb.parse_and_eval(f"hd_now->thread[{i}]")
    if bool(t["has_ended"]):
        return "has ended"
    if i == current() and not between:
        return "runs"
    action = gdb.parse_and_eval(f"hd_now->threads.action[{i}]")
    words = gdb.parse_and_eval(f"hd_action_words({int(action['kind'])})").string()
    return f"stands before: {words} at {place(int(action['site']))}"


class InfoHeddle(gdb.Command):
    """List the threads of the tested program, and what each of them stands before."""

    def __init__(self):
        super().__init__("info heddle", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        check_running()
        for i in range(max(1, number("hd_now->threads.n"))):
            if i == current() or bool(gdb.parse_and_eval(f"hd_now->thread[{i}].is_used")):
                kind = "message" if bool(gdb.parse_and_eval(f"hd_now->thread[{i}].is_courier")) else "thread"
                gdb.write(f"{'*' if i == current() else ' '} {kind} {i}  {state_of(i)}\n")


class Heddle(gdb.Command):
    """Commands about the tested program: heddle thread N, heddle back."""

    def __init__(self):
        super().__init__("heddle", gdb.COMMAND_RUNNING, prefix=True)


class HeddleThread(gdb.Command):
    """Look at the stack of thread N of the tested program, where it last stopped; before going on gdb is back where it was."""

    def __init__(self):
        super().__init__("heddle thread", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        check_running()
        if not argument.strip().isdigit() or int(argument) >= number("hd_now->threads.n"):
            raise gdb.GdbError("heddle thread N: 'info heddle' lists the threads")
        if int(argument) == current():
            show_here()
        elif "before" not in state_of(int(argument)):
            raise gdb.GdbError(f"thread {argument} {state_of(int(argument))}: it has no stack")
        else:
            show_fiber(int(argument))


class HeddleBack(gdb.Command):
    """Back to the thread that runs."""

    def __init__(self):
        super().__init__("heddle back", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        check_running()
        show_here()


def tell_stop(event):
    global between
    if not isinstance(event, gdb.BreakpointEvent):
        return
    try:
        name = gdb.newest_frame().name()
        between = name in ("hd_rerun_reached", "hd_stuck_told")
        if name in FINDINGS:
            gdb.write(f"finding: {gdb.parse_and_eval('hd_now->call.outcome->finding.message').string()!r}\n")
        reason = number("(unsigned)$rdi") if name == "hd_stuck_told" else current()  # its argument
        if reason != current():
            show_fiber(reason)
        elif between or name in FINDINGS:
            show_here()
    except (gdb.error, gdb.MemoryError) as problem:
        gdb.write(f"heddle: {problem}\n")


for command in (InfoHeddle, Heddle, HeddleThread, HeddleBack):
    command()
# Whatever lets the program go on must find its registers as they were.
for name in ("continue", "step", "next", "finish", "stepi", "nexti", "until", "advance", "kill", "run"):
    gdb.execute(f"define hook-{name}\npython come_back()\nend")
gdb.events.stop.connect(tell_stop)
