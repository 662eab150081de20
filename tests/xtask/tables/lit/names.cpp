// Prints the options and the passes that LLVM's libraries register, one a line, each after its kind.
//
// The names come from the LLVM that this is linked with (Apache-2.0 WITH LLVM-exception).
#include "llvm/InitializePasses.h"
#include "llvm/Pass.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

struct Printer : PassRegistrationListener {
  void passEnumerate(const PassInfo *P) override { outs() << "pass " << P->getPassArgument() << "\n"; }
};

int main() {
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  PassRegistry &R = *PassRegistry::getPassRegistry();
  initializeCore(R);
  initializeAnalysis(R);
  initializeTransformUtils(R);
  initializeInstCombine(R);
  initializeScalarOpts(R);
  initializeVectorization(R);
  initializeIPO(R);
  initializeTarget(R);
  initializeCodeGen(R);
  initializeGlobalISel(R);
  Printer P;
  R.enumerateWith(&P);
  for (auto &Option : cl::getRegisteredOptions())
    outs() << "option " << Option.first << "\n";
}
