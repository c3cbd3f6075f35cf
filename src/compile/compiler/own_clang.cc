/* own_clang.cc -- the one part in C++: clang has no other interface that makes bitcode.
 *
 * clang's driver turns the words of a user into those of its compiler proper (-cc1), as it does in
 * clang-19.  If that is one job which makes bitcode or an object file it is done here; everything
 * else (other outputs, plugins, questions about clang itself) is left to clang-19. */
#include "compile/compiler/own_clang.h"

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/Stack.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Driver/Job.h>
#include <clang/Driver/ToolChain.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/TextDiagnosticBuffer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/Signals.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/TargetParser/Host.h>
#include <unistd.h>

const char *const hd_own_clang = HD_CLANG;

/* Debian's archives ask for Polly, whose passes nobody runs here. */
llvm::PassPluginLibraryInfo getPollyPluginInfo();
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "none", "", [](llvm::PassBuilder &) {}};
}

namespace {

typedef llvm::SmallVector<const char *, 64> words;

[[noreturn]] void leave(const char *const *argv) {
    execvp(argv[0], const_cast<char *const *>(argv));
    _exit(127);
}

/* What is answered before there are jobs, or by main of clang-19 itself. */
bool is_question(const words &arguments) {
    for (llvm::StringRef word : arguments)
        if (word.starts_with("@") || word.starts_with("-###") || word == "-v" || word == "-cc1" ||
            word.starts_with("--version") || word.starts_with("-print-") ||
            word.starts_with("--print-") || word.starts_with("--help") ||
            word.starts_with("-ftime-trace"))
            return true;
    return getenv("CCC_OVERRIDE_OPTIONS") != nullptr;
}

bool is_ours(clang::CompilerInstance &compiler) {
    const clang::FrontendOptions &options = compiler.getFrontendOpts();
    return (options.ProgramAction == clang::frontend::EmitBC ||
            options.ProgramAction == clang::frontend::EmitObj) &&
           options.Plugins.empty() && compiler.getCodeGenOpts().PassPlugins.empty() &&
           !options.ShowHelp && !options.ShowVersion;
}

/* "-mllvm X" and what the driver adds: for LLVM's own table of options, in which heddle-compile has
 * set some. */
void set_llvm_options(const std::vector<std::string> &given) {
    llvm::cl::ResetAllOptionOccurrences();
    words all{"clang (LLVM option parsing)"};
    for (const std::string &option : given)
        all.push_back(option.c_str());
    if (all.size() > 1)
        llvm::cl::ParseCommandLineOptions(static_cast<int>(all.size()), all.data());
}

bool run_action(clang::CompilerInstance &compiler) {
    set_llvm_options(compiler.getFrontendOpts().LLVMArgs);
    if (compiler.getFrontendOpts().ProgramAction == clang::frontend::EmitBC) {
        clang::EmitBCAction bitcode;
        return compiler.ExecuteAction(bitcode);
    }
    clang::EmitObjAction object;
    return compiler.ExecuteAction(object);
}

/* One job of the compiler proper.  What is wrong with its options is said when it is known how to
 * say it. */
bool run_job(llvm::ArrayRef<const char *> options, const char *const *argv) {
    static clang::CompilerInstance compiler; /* as long as the process: nothing is freed */
    auto *early = new clang::TextDiagnosticBuffer;
    clang::DiagnosticsEngine first(new clang::DiagnosticIDs, new clang::DiagnosticOptions, early);
    bool ok = clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), options, first,
                                                        argv[0]);
    if (!is_ours(compiler))
        leave(argv);
    compiler.createDiagnostics();
    if (!compiler.hasDiagnostics())
        return false;
    early->FlushDiagnostics(compiler.getDiagnostics());
    return ok && run_action(compiler);
}

bool run_driver(const words &arguments, const char *const *argv) {
    llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options =
        clang::CreateAndPopulateDiagOpts(arguments);
    auto *printer = new clang::TextDiagnosticPrinter(llvm::errs(), options.get());
    printer->setPrefix(argv[0]);
    clang::DiagnosticsEngine diagnostics(new clang::DiagnosticIDs, options, printer);
    clang::ProcessWarningOptions(diagnostics, *options, false);
    clang::driver::Driver driver(HD_CLANG, llvm::sys::getDefaultTargetTriple(), diagnostics,
                                 "clang LLVM compiler", llvm::vfs::getRealFileSystem());
    driver.setTargetAndMode(clang::driver::ToolChain::getTargetAndModeFromProgramName(argv[0]));
    std::unique_ptr<clang::driver::Compilation> plan(driver.BuildCompilation(arguments));
    if (!plan || plan->containsError() || diagnostics.hasErrorOccurred())
        return false;
    if (plan->getJobs().size() != 1)
        leave(argv);
    llvm::ArrayRef<const char *> job = plan->getJobs().begin()->getArguments();
    if (job.empty() || llvm::StringRef(job[0]) != "-cc1")
        leave(argv);
    return run_job(job.slice(1), argv);
}

} // namespace

int hd_own_clang_run(const char *const *argv) {
    clang::noteBottomOfStack();
    llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
    words arguments;
    for (const char *const *word = argv; *word; word++)
        arguments.push_back(*word);
    if (is_question(arguments))
        leave(argv);
    bool ok = run_driver(arguments, argv);
    llvm::errs().flush();
    return ok ? 0 : 1;
}
