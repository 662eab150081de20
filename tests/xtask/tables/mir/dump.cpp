// Prints what a target's code generator knows about registers, register classes and opcodes, as lines of text.
//
// The facts come from the target descriptions of the LLVM that this is linked with (Apache-2.0 WITH LLVM-exception).
// `pack.py` turns the lines into the committed tables. Build and run: see `regenerate.sh`.
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/RegisterBankInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetOpcodes.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/CodeGenTypes/LowLevelType.h"
#include "llvm/CodeGen/LowLevelTypeUtils.h"
#include "llvm/CodeGen/TargetFrameLowering.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include <set>

using namespace llvm;

int main(int argc, char **argv) {
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  std::string Triple = argv[1], Error;
  auto &OS = outs();
  const Target *T = TargetRegistry::lookupTarget(Triple, Error);
  if (!T) { errs() << Error << "\n"; return 1; }
  LLVMContext C;
  Module M("m", C);
  for (int CpuIdx = 2; CpuIdx < argc; ++CpuIdx) {
    std::string CPU = argv[CpuIdx] == std::string("-") ? "" : argv[CpuIdx];
    std::unique_ptr<TargetMachine> TM(T->createTargetMachine(llvm::Triple(Triple), CPU, "", TargetOptions(), std::nullopt));
    M.setTargetTriple(llvm::Triple(Triple));
    M.setDataLayout(TM->createDataLayout());
    Function *F = Function::Create(FunctionType::get(Type::getVoidTy(C), false), Function::ExternalLinkage, "f" + Twine(CpuIdx), M);
    MachineModuleInfo MMI(TM.get());
    MachineFunction &MF = MMI.getOrCreateMachineFunction(*F);
    const auto &ST = MF.getSubtarget();
    const auto *TRI = ST.getRegisterInfo();
    const auto *TII = ST.getInstrInfo();
    const auto *RBI = ST.getRegBankInfo();
    OS << "cpu\t" << argv[CpuIdx] << "\n";
    BitVector R = TRI->getReservedRegs(MF);
    OS << "reserved";
    for (unsigned I : R.set_bits()) OS << "\t" << I;
    OS << "\n";
    // Operand classes that depend on the subtarget.
    std::map<unsigned, int> Modes;
    for (unsigned O = 0; O < TII->getNumOpcodes(); ++O) {
      const MCInstrDesc &D = TII->get(O);
      for (unsigned I = 0; I < D.getNumOperands(); ++I) {
        const auto &Op = D.operands()[I];
        const TargetRegisterClass *RC = TII->getRegClass(D, I);
        int Id = RC ? (int)RC->getID() : -1;
        if (Op.isLookupRegClassByHwMode()) Modes[Op.RegClass] = Id;
        else if (Id != Op.RegClass) OS << "override\t" << O << "\t" << I << "\t" << Id << "\n";
      }
    }
    OS << "hwmode";
    for (auto &P : Modes) OS << "\t" << P.first << ":" << P.second;
    OS << "\n";
    if (CpuIdx != 2) continue;
    OS << "datalayout\t" << M.getDataLayoutStr() << "\n";
    OS << "generic_end\t" << (TargetOpcode::GENERIC_OP_END + 1) << "\n";
    OS << "callframe\t" << TII->getCallFrameSetupOpcode() << "\t" << TII->getCallFrameDestroyOpcode() << "\n";
    for (unsigned I = 0; I < TRI->getNumRegs(); ++I) {
      OS << "reg\t" << I << "\t" << (I ? StringRef(TRI->getName(I)).lower() : "noreg") << "\t" << (I ? TRI->getEncodingValue(I) : 0) << "\t"
         << (I ? TRI->getDwarfRegNum(I, true) : -1) << "\t" << (I && TRI->isInAllocatableClass(I)) << "\tu";
      if (I) for (MCRegUnit U : TRI->regunits(I)) OS << "," << static_cast<unsigned>(U);
      OS << "\ts";
      if (I) for (MCPhysReg S : TRI->subregs(I)) OS << "," << S << ":" << TRI->getSubRegIndex(I, S);
      OS << "\tc" << (I && TRI->isConstantPhysReg(I)) << "\t";
      if (I) if (auto *RC = TRI->getMinimalPhysRegClass(I)) OS << RC->getID();
      OS << "\n";
    }
    for (unsigned I = 1; I < TRI->getNumSubRegIndices(); ++I)
      OS << "subidx\t" << I << "\t" << TRI->getSubRegIndexName(I) << "\t" << TRI->getSubRegIdxSize(I) << "\t" << TRI->getSubRegIdxOffset(I)
         << "\t" << TRI->getSubRegIndexLaneMask(I).getAsInteger() << "\n";
    for (const TargetRegisterClass *RC : TRI->regclasses()) {
      OS << "class\t" << RC->getID() << "\t" << StringRef(TRI->getRegClassName(RC)).lower() << "\t" << TRI->getRegSizeInBits(*RC).getKnownMinValue() << "\t"
         << RC->isAllocatable() << "\t" << RC->isBaseClass() << "\tm";
      for (MCPhysReg P : *RC) OS << "," << P;
      OS << "\tb";
      for (const TargetRegisterClass *S : TRI->regclasses()) if (RC->hasSubClassEq(S)) OS << "," << S->getID();
      OS << "\ti";
      for (unsigned X = 1; X < TRI->getNumSubRegIndices(); ++X) if (TRI->getSubClassWithSubReg(RC, X) == RC) OS << "," << X;
      OS << "\tt";
      for (auto VT = TRI->legalclasstypes_begin(*RC); *VT != MVT::Other; ++VT) {
        MVT V = *VT;
        if (V == MVT::Untyped || !(V.isInteger() || V.isFloatingPoint()) ) continue;
        if (V.isScalableVector()) { OS << ",v" << V.getVectorMinNumElements() << "x" << V.getScalarSizeInBits(); continue; }
        if (V.isVector()) OS << "," << V.getVectorNumElements() << "x" << V.getScalarSizeInBits();
        else OS << "," << V.getSizeInBits();
      }
      OS << "\n";
    }
    auto Masks = TRI->getRegMasks();
    auto MaskNames = TRI->getRegMaskNames();
    for (size_t I = 0; I < Masks.size(); ++I) {
      OS << "mask\t" << StringRef(MaskNames[I]).lower() << "\tr";
      for (unsigned P = 1; P < TRI->getNumRegs(); ++P) if (!MachineOperand::clobbersPhysReg(Masks[I], P)) OS << "," << P;
      OS << "\n";
    }
    if (RBI) for (unsigned I = 0; I < RBI->getNumRegBanks(); ++I) {
      const auto &B = RBI->getRegBank(I);
      OS << "bank\t" << StringRef(B.getName()).lower() << "\t" << RBI->getMaximumSize(B.getID()) << "\n";
    }
    for (auto &P : TII->getSerializableTargetIndices()) OS << "targetindex\t" << P.second << "\n";
    for (auto &P : TII->getSerializableDirectMachineOperandTargetFlags()) OS << "flag\t" << P.second << "\n";
    for (auto &P : TII->getSerializableBitmaskMachineOperandTargetFlags()) OS << "bitflag\t" << P.second << "\n";
    for (auto &P : TII->getSerializableMachineMemOperandTargetFlags()) OS << "memflag\t" << P.second << "\n";
    for (const char *N : {"WWM_REG"}) if (TRI->getVRegFlagValue(N)) OS << "vregflag\t" << N << "\n";
    OS << "formatter\t" << (TII->getMIRFormatter() != nullptr) << "\n";
    OS << "vectoridx\t" << ST.getTargetLowering()->getVectorIdxWidth(M.getDataLayout()) << "\n";
    for (unsigned S = 0; S < 5; ++S) if (ST.getFrameLowering()->isSupportedStackID((TargetStackID::Value)(S == 4 ? 255 : S))) OS << "stackid\t" << S << "\n";
    for (unsigned O = 0; O < TII->getNumOpcodes(); ++O) {
      const MCInstrDesc &D = TII->get(O);
      OS << "op\t" << O << "\t" << TII->getName(O) << "\t" << D.getNumDefs() << "\t" << D.getFlags() << "\t" << D.TSFlags << "\to";
      for (unsigned I = 0; I < D.getNumOperands(); ++I) {
        const auto &Op = D.operands()[I];
        OS << "," << Op.RegClass << ":" << (unsigned)Op.Flags << ":" << (unsigned)Op.OperandType << ":" << D.getOperandConstraint(I, MCOI::TIED_TO)
           << ":" << (D.getOperandConstraint(I, MCOI::EARLY_CLOBBER) != -1);
      }
      OS << "\td";
      for (MCPhysReg P : D.implicit_defs()) OS << "," << P;
      OS << "\tu";
      for (MCPhysReg P : D.implicit_uses()) OS << "," << P;
      OS << "\n";
    }
  }
}
