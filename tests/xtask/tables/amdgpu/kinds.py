"""How the facts' operand kinds, flags and opcode names map to the vocabulary of src/tables/kind.rs."""
import marshal, re

WELL_KNOWN_NAMES = """vdst sdst src0 src1 src2 src3 src0_modifiers src1_modifiers src2_modifiers vdata vdata_in data0 data1
vaddr vaddr0 srsrc rsrc ssamp samp soffset offset cpol clamp omod op_sel op_sel_hi neg_lo neg_hi dim dmask tfe d16 a16 lwe
unorm r128 imm immX simm16 vdstX vdstY src0X src0Y vsrc1X vsrc1Y vsrc2X vsrc2Y src2X src2Y src0X_modifiers src0Y_modifiers
vsrc1X_modifiers vsrc1Y_modifiers vsrc2X_modifiers vsrc2Y_modifiers vdst_in old fi dpp8 dpp_ctrl row_mask bank_mask
bound_ctrl dst_sel dst_unused src0_sel src1_sel cbsz blgp abid scale_src0 scale_src1 gds en compr vm bitop3 byte_sel
attr attrchan srcTiedDef index_key_8bit index_key_16bit index_key_32bit matrix_a_reuse matrix_b_reuse waitexp saddr sbase
sdata addr format offset0 offset1 swz sdst_in tgt da idx vdst1 src0_out addr_in matrix_a_fmt matrix_b_fmt matrix_a_scale
matrix_b_scale matrix_a_scale_fmt matrix_b_scale_fmt scale_sel""".split()

WELL_KNOWN_TOKENS = ["off", "lds", "gds", "tfe", "addr64", "idxen", "offen", "done", "row_en", "::", "[", "]"]

WELL_KNOWN_FLAGS = """SALU VALU SOP2 SOPC SOPP VOP1 VOP2 VOPC VOP3 VOP3P SDWA DPP MUBUF MTBUF SMRD MIMG
VIMAGE VSAMPLE EXP FLAT DS VM_CNT EXP_CNT LGKM_CNT IsAtomicRet IsAtomicNoRet GWS IsDOT IsPacked VINTERP
LDSDIR VOPD VOPD3 Gather4 TRANS mayLoad mayStore isBranch isTerminator isBarrier isCall IsMAI
IsWMMA IsSWMMAC FlatGlobal FlatScratch IntClamp FPAtomic HasImm IsMac MimgBvh MimgBvhA16 MimgMsaa
MimgGradients MimgG16 MimgNoCoords MimgLod MimgExtra1 MimgExtra2 SmemBuffer ASYNC_CNT TENSOR_CNT IsSingle VOP3_OPSEL""".split()

IMPLICIT = ["EXEC", "MODE", "VCC", "M0", "FLAT_SCR", "SCC", "ASYNCcnt", "TENSORcnt", "XCNT", "PC"]

NAMESPACES = ["", "AMDGPU", "GFX6", "GFX6GFX7", "GFX7", "GFX8", "GFX80_UNPACKED", "GFX9", "GFX9_DL", "GFX90A", "GFX940",
              "GFX950", "GFX10", "GFX10_B", "GFX11", "GFX11_FAKE16", "GFX11W64", "GFX12", "GFX12_FAKE16", "GFX12W64",
              "GFX1250", "GFX1250_FAKE16", "GFX1251", "GFX13", "GFX13_FAKE16"]

USED_FEATURES = """FeatureWavefrontSize32 FeatureWavefrontSize64 FeatureSouthernIslands FeatureSeaIslands FeatureVolcanicIslands
FeatureGFX9 FeatureGFX10 FeatureGFX11 FeatureGFX12 FeatureGFX9Insts FeatureGFX8Insts FeatureGFX10Insts FeatureGFX11Insts
FeatureGFX12Insts FeatureGFX1250Insts FeatureGFX90AInsts FeatureGFX940Insts FeatureGFX950Insts FeatureGFX10_3Insts
FeatureGFX10_AEncoding FeatureGFX10_BEncoding FeatureGCN3Encoding FeatureCIInsts FeatureVOP3Literal Feature64BitLiterals FeatureInv2PiInlineImm
FeatureDPALU_DPP FeatureDPPSrc1SGPR FeatureIntClamp FeatureFlatInstOffsets FeatureG16 FeatureA16 FeatureR128A16
FeatureMIMG_R128 FeatureUnpackedD16VMem FeaturePartialNSAEncoding FeatureNSAEncoding FeatureMFMAInlineLiteralBug FeatureGDS
FeatureGWS FeatureTrue16BitInsts FeatureRealTrue16Insts FeatureSupportsXNACK FeatureVOPD FeatureArchitectedFlatScratch
FeatureArchitectedSGPRs FeatureSGPRInitBug FeatureFlatAddressSpace Feature1_5xVGPRs FeatureMAIInsts FeatureVscnt
FeatureTrapHandler FeatureCuMode FeatureAddressableLocalMemorySize32768 FeatureAddressableLocalMemorySize65536
FeatureAddressableLocalMemorySize163840 FeatureAddressableLocalMemorySize327680 FeatureXNACK FeatureScalarFlatScratchInsts
FeatureSMemRealTime FeatureSMemTimeInst FeatureGetWaveIdInst FeatureShaderCyclesHiLoRegisters FeatureWaitXcnt FeatureRequiresCOV6
FeatureMemoryAtomicFAddF32DenormalSupport FeatureDynamicVGPR FeatureGFX7GFX8GFX9Insts FeatureApertureRegs
FeatureSupportsSRAMECC FeatureTgSplit FeatureKernargPreload FeatureUserSGPRInit16Bug FeatureSetregVGPRMSBFixup
Feature1024AddressableVGPRs FeatureGFX13 FeatureGFX13Insts FeatureGFX11_7Insts FeatureGloballyAddressableScratch FeatureClusters FeaturePackedTID""".split()

SPECIALS = ["", "WRITELANE", "PERMLANE16", "SHIFT64", "DIV_SCALE", "REV", "MFMA_F64_GFX940", "CVT_SR8", "MOVRELS_SDWA", "ACCVGPR_READ",
            "ACCVGPR_WRITE", "MAC_SDWA_VI", "WAITCNT_NULL", "GWS_ALIGNED", "READ_B96_TR", "MFMA_F8F6F4", "DUAL_MOV_MOV",
            "VCMPX64", "SETREG", "WAITCNT", "WAITCNT_SPLIT", "DUAL_CNDMASK", "NOP_SDWA", "WMMA_F8F6F4"]

CONVERTERS = ["", "cvtMubuf", "cvtMubufAtomic", "cvtVOP3", "cvtVOPD", "cvtDPP8", "cvtDPP", "cvtVOP3DPP8", "cvtVOP3DPP",
              "cvtVOP3OpSel", "cvtSdwaVOPC", "cvtVOP3P", "cvtSdwaVOP1", "cvtSdwaVOP2", "cvtScaledMFMA", "cvtSWMMAC", "cvtSdwaVOP2b",
              "cvtVINTERP", "cvtExp", "cvtVOP3Interp", "cvtSdwaVOP2e"]

REV = re.compile(r"^V_(PK_)?(SUBREV|SUBBREV|LSHRREV|ASHRREV|LSHLREV)_\w+")


def copied(facts):
    """A copy of lists, dictionaries, words and numbers: `copy.deepcopy` takes ten times as long."""
    return marshal.loads(marshal.dumps(facts))


def special(r):
    n, f = r["name"], r.get("flags", [])
    if n in ("V_WRITELANE_B32_gfx6_gfx7", "V_WRITELANE_B32_vi"):
        s = "WRITELANE"
    elif re.match(r"V_PERMLANE(X)?16_(VAR_)?B32_", n) or re.match(r"V_PERMLANE(X)?16(_VAR)?_B32", n):
        s = "PERMLANE16"
    elif re.match(r"V_(LSHLREV_B64|LSHRREV_B64|ASHRREV_I64|LSHL_B64|LSHR_B64|ASHR_I64)_", n) and re.search(r"gfx1\d", n):
        s = "SHIFT64"
    elif re.match(r"V_DIV_SCALE_F(32|64)_(gfx6_gfx7|vi|gfx10)$", n):
        s = "DIV_SCALE"
    elif REV.match(n) and not re.search(r"dpp|_gfx1[12]", n):
        s = "REV"
    elif re.match(r"V_MFMA_F64_(16X16X4|4X4X4)F64_gfx940_", n):
        s = "MFMA_F64_GFX940"
    elif re.match(r"V_MOVREL(S|SD|SD_2)_B32_sdwa_gfx10", n):
        s = "MOVRELS_SDWA"
    elif n == "V_ACCVGPR_READ_B32_vi":
        s = "ACCVGPR_READ"
    elif n == "V_ACCVGPR_WRITE_B32_vi":
        s = "ACCVGPR_WRITE"
    elif n in ("V_MAC_F32_sdwa_vi", "V_MAC_F16_sdwa_vi"):
        s = "MAC_SDWA_VI"
    elif re.match(r"S_WAITCNT_(EXP|LGKM|VM|VS)CNT_gfx11", n):
        s = "WAITCNT_NULL"
    elif n in ("DS_GWS_INIT_vi", "DS_GWS_BARRIER_vi", "DS_GWS_SEMA_BR_vi"):
        s = "GWS_ALIGNED"
    elif n.startswith("DS_READ_B96_TR_B6"):
        s = "READ_B96_TR"
    elif "MFMA" in n and "F8F6F4" in n:
        s = "MFMA_F8F6F4"
    elif "WMMA" in n and "F8F6F4" in n:
        s = "WMMA_F8F6F4"
    elif re.match(r"V_DUAL_MOV_B32_e32_X_MOV_B32_e32_(gfx1170|gfx12|(e96_)?gfx1(250|3)$)", n):
        s = "DUAL_MOV_MOV"
    elif "DUAL_" in n and "CNDMASK" in n:
        s = "DUAL_CNDMASK"
    elif "VOP3" in f and "EXEC" in r.get("defs", []):
        s = "VCMPX64"
    elif re.match(r"S_WAITCNT_(vi|gfx)", n):
        s = "WAITCNT"
    elif n.startswith("V_NOP_sdwa"):
        s = "NOP_SDWA"
    else:
        s = ""
    return SPECIALS.index(s)


def extra_flags(r):
    n, out, have = r["name"], [], set(r.get("flags", []))
    names = {x for _, x in r.get("outs", []) + r.get("ins", [])}
    mn = re.match(r"[^\s$]+", r["asm"]).group().lower()

    def add(f, cond):
        if cond and f not in have:
            out.append(f)

    add("IsMAI", mn.startswith(("v_mfma", "v_smfmac", "v_accvgpr")))
    add("IsWMMA", "_wmma" in mn)
    add("IsSWMMAC", "swmmac" in mn)
    add("FlatGlobal", mn.startswith(("global_", "cluster_")))
    add("FlatScratch", mn.startswith("scratch_"))
    add("VOPD", mn.startswith("v_dual_"))
    add("HasImm", "imm" in names and not mn.startswith("s_"))
    add("SmemBuffer", "SMRD" in have and "buffer" in mn)
    add("IsMac", bool(re.match(r"v_(mac|fmac)_(legacy_)?f\d+", mn)) and r.get("variant") in ("VOP3",))
    if have & {"MIMG", "VIMAGE", "VSAMPLE"}:
        bvh = "bvh" in mn
        add("MimgBvh", bvh)
        add("MimgBvhA16", bvh and re.search(r"_a16_", n) is not None)
        add("MimgMsaa", mn.startswith("image_msaa_load"))
        parts = mn.split("_")
        if mn.startswith(("image_sample", "image_gather4", "image_get_lod")):
            mods = parts[2:]
            add("MimgGradients", "d" in mods or "cd" in mods)
            add("MimgG16", "g16" in mods)
            add("MimgLod", "cl" in mods or "l" in mods)
            extra = len({"o", "b", "c"} & set(mods))
            add("MimgExtra1", extra & 1)
            add("MimgExtra2", extra & 2)
            add("Gather4", mn.startswith("image_gather4"))
        add("MimgLod", "mip" in parts or mn == "image_get_resinfo")
        add("MimgNoCoords", mn == "image_get_resinfo")
    # asyncmark and friends count through implicit registers
    add("ASYNC_CNT", "ASYNCcnt" in r.get("uses", []) or "_async_" in mn)
    add("TENSOR_CNT", mn.startswith("tensor_"))
    return out


def converter_name(n):
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", n).upper()


def const_name(n):
    n = re.sub(r"([a-z])([A-Z])", r"\1_\2", n)
    return n.upper().replace("::", "COLONS")


def feature_name(n):
    n = n.replace("Feature", "")
    if n[0].isdigit():
        n = "F" + n
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", n).upper()


def regs(c):
    if c is None:
        return "Regs::None"
    m = re.match(r"^(VReg|AReg|AV|VGPR|AGPR)_(\d+)(_Align2)?$", c)
    if m and not c.startswith("VGPR_16"):
        file = {"VReg": "V", "VGPR": "V", "AReg": "A", "AGPR": "A", "AV": "Av"}[m.group(1)]
        return f"Regs::{file}({int(m.group(2)) // 32})"
    m = re.match(r"^SReg_(\d+)(_XNULL)?$", c)
    if m and int(m.group(1)) > 64:
        return f"Regs::S{'XNull' if m.group(2) else ''}({int(m.group(1)) // 32})"
    names = {"VGPR_16": "V16", "VGPR_16_Lo128": "V16Lo", "VGPR_32_Lo128": "VLo", "SReg_32": "S32", "SReg_32_XM0": "S32XM0",
             "SReg_32_XEXEC": "S32XExec", "SReg_32_XM0_XEXEC": "S32XM0XExec", "SReg_32_XEXEC_HI": "S32XExecHi",
             "SReg_64": "S64", "SReg_64_XEXEC": "S64XExec", "SReg_64_XEXEC_XNULL": "S64XExecXNull", "SReg_1": "S1",
             "SReg_1_XEXEC": "S1XExec", "SRegOrLds_32": "SOrLds", "VRegOrLds_32": "VOrLds", "VS_16": "Vs16",
             "VS_16_Lo128": "Vs16Lo", "VS_32": "Vs32", "VS_32_Lo128": "Vs32Lo", "VS_64": "Vs64",
             "VS_64_AlignTarget": "Vs64", "VS_128": "Vs128", "SGPR_32": "S32", "SReg_96": "S(3)"}
    return "Regs::" + names[c]


TYPES = {"b16": "I16", "b32": "I32", "b64": "I64", "f16": "F16", "bf16": "BF16", "f32": "F32", "f64": "F64", "v2b16": "V2I16",
         "v2f16": "V2F16", "v2bf16": "V2BF16", "v2f32": "V2F32", "v2b32": "V2I32", "v2f64": "F64", "v2b64": "I64"}


def src(r, inline, lit=None, expr=False, mods="No"):
    lit = f"Some(Ty::{lit})" if lit else "None"
    return f"Class::Src {{ regs: Regs::{r}, inline: Ty::{inline}, lit: {lit}, expr: {str(expr).lower()}, mods: ModKind::{mods} }}"


def match_class(k, o):
    if o is None:
        return f"Class::Reg({regs(k)})"
    mn, pred = o.get("match_name"), o.get("match_predicate") or ""
    default = (o.get("default") or "").replace("ImmTy", "")
    if mn is None:
        return f"Class::Reg({regs(o.get('reg_class'))})"
    if mn == "Imm":
        return "Class::PlainImm"
    if mn == "BoolReg":
        return "Class::BoolReg"
    if mn == "VReg32OrOff":
        return "Class::VRegOrOff"
    m = re.match(r"^(SCSrc|SSrc|SSrcOrLds)_(\w+)$", mn)
    if m:
        kind, ty = m.groups()
        r = "SOrLds" if kind == "SSrcOrLds" else ("S64" if ty in ("b64", "f64") else "S32")
        inline = {"b32": "I32", "b16": "I16", "b64": "I64", "f32": "I32", "f64": "I64", "f16": "I16", "bf16": "I16"}[ty]
        if kind == "SCSrc":
            return src(r, inline)
        return src(r, inline, TYPES[ty], ty in ("b32", "f32") or kind == "SSrcOrLds")
    m = re.match(r"^(VCSrc|VSrc)(T|Fake16)?_(\w+?)(_Lo128)?$", mn)
    if m:
        kind, t16, ty, lo = m.groups()
        r = "Vs64" if ty in ("b64", "f64", "v2f32", "v2b32") else "Vs128" if ty in ("v2b64", "v2f64") else "Vs32"
        if t16 == "T":
            r = "Vs16"
        if lo:
            r += "Lo"
        # LLVM asks for f32 (f64) inline constants where VSrc_b32 (b64) wants an integer: same set
        inline = {"v2b16": "I16", "v2f16": "F16", "v2bf16": "BF16", "v2f32": "F64", "v2b32": "F64", "v2b64": "F64"}.get(ty, TYPES[ty])
        if kind == "VCSrc" and t16 == "T" and ty == "bf16":
            inline = "F16"
        if kind == "VCSrc":
            return src(r, inline)
        if ty in ("b32",):
            inline = "F32"
        if ty in ("b64",):
            inline = "F64"
        return src(r, inline, TYPES[ty], ty in ("b32", "f32"))
    m = re.match(r"^(VISrc|AISrc)_(\d+)_(\w+)$", mn)
    if m:
        f, n, ty = m.groups()
        return src(f"{'V' if f == 'VISrc' else 'A'}({int(n) // 32})", TYPES[ty])
    p = o.get("parser") or ""
    mods = "Fp" if "FPInputMods" in p else "Int" if "IntInputMods" in p else "Any" if p == "Any" else "No"
    m = re.match(r"^isReg(?:OrImm|OrInlineImm)With(Int|FP)(T)?(16|32|64)InputMods(<true>|<false>)?$", pred)
    if m:
        ty = ("I" if m.group(1) == "Int" else "F") + m.group(3)
        r = {"16": "Vs32", "32": "Vs32", "64": "Vs64"}[m.group(3)]
        if m.group(4) == "<false>":
            r = "Vs16"
        lit = ty if "OrImm" in pred else None
        return src(r, ty, lit, False, mods)
    if pred == "isPackedFP16InputMods":
        return src("Vs32", "V2F16", "V2F16", False, mods)
    if pred == "isPackedVGPRFP32InputMods":
        return src("V(2)", "V2F32", "V2F32", False, mods)
    if pred == "isRegOrImm":
        return f"Class::AnyRegOrImm"
    if pred == "isVRegWithInputMods":
        return f"Class::DppReg(ModKind::{mods})"
    m = re.match(r"^isVRegWithFP(32|64)InputMods$", pred)
    if m:
        return f"Class::RegMods(Regs::V({int(m.group(1)) // 32}), ModKind::{mods})"
    m = re.match(r"^isT16(_Lo128)?VRegWithInputMods<(true|false)>$", pred)
    if m:
        r = ("VLo" if m.group(1) else "V(1)") if m.group(2) == "true" else ("V16Lo" if m.group(1) else "V16")
        return f"Class::RegMods(Regs::{r}, ModKind::{mods})"
    m = re.match(r"^isSDWA(Int|FP)(16|32)Operand$", pred)
    if m:
        return f"Class::Sdwa(Ty::{'I' if m.group(1) == 'Int' else 'F'}{m.group(2)}, ModKind::{mods})"
    m = re.match(r"^isKImmFP(16|32|64)$", pred)
    if m:
        return f"Class::KImm(Ty::F{m.group(1)})"
    if mn in ("CPol_GLC", "CPol_NonGLC"):
        return f"Class::CPolWith({str(mn == 'CPol_GLC').lower()})"
    direct = {"S16Imm": "S16", "U16Imm": "U16", "SMRDOffset8": "SmrdOffset8", "SMRDLiteralOffset": "SmrdLiteral",
              "SMEMOffset": "SmemOffset", "SplitBarrier": "SplitBarrier", "SOPPBrTarget": "Branch",
              "InterpAttrChan": "AttrChan"}
    if mn in direct:
        return f"Class::{direct[mn]}"
    if mn in ("FlatOffset",):
        return "Class::Imm(Imm::FlatOffset)"
    return f"Class::Imm(Imm::{mn})"


def kind(k, o, classes):
    o2 = o if o and (o.get("match_name") or o.get("operand_type")) else None
    if o2 is None:
        optype, enc, rc, pr = "Reg", "Plain", regs(k), "printOperand"
    else:
        optype = {"REGISTER": "Reg", "IMMEDIATE": "Imm", "INPUT_MODS": "InputMods", "UNKNOWN": "Imm", "PCREL": "PcRel",
                  "SDWA_VOPC_DST": "Reg"}.get(o2["operand_type"].replace("OPERAND_", ""))
        if optype is None:
            t = o2["operand_type"].replace("OPERAND_", "")
            m = re.match(r"^(REG_IMM_NOINLINE|REG_IMM_SPLAT|REG_IMM|REG_INLINE_C|REG_INLINE_AC|KIMM|INLINE_SPLIT_BARRIER)_?(\w+)$", t)
            where, ty = m.groups()
            ty = {"INT16": "I16", "INT32": "I32", "INT64": "I64", "FP16": "F16", "FP32": "F32", "FP64": "F64", "BF16": "BF16",
                  "V2INT16": "V2I16", "V2FP16": "V2F16", "V2BF16": "V2BF16", "V2FP32": "V2F32", "V2INT32": "V2I32",
                  "16": "F16", "32": "F32", "64": "F64"}[ty]
            optype = {"REG_IMM": "Src", "REG_IMM_NOINLINE": "NoInline", "REG_IMM_SPLAT": "Splat", "REG_INLINE_C": "Inline", "REG_INLINE_AC": "Inline", "KIMM": "KImm",
                      "INLINE_SPLIT_BARRIER": "Inline"}[where] + f"(Ty::{ty})"
        enc = {"getAVOperandEncoding": "Av", "getSDWASrcEncoding": "SdwaSrc", "getSDWAVopcDstEncoding": "SdwaVopcDst",
               "getMachineOpValueT16": "T16", "getMachineOpValueT16Lo128": "T16Lo", "getSOPPBrEncoding": "Branch",
               "getSMEMOffsetEncoding": "Plain"}.get(o2.get("encoder") or "", "Plain")
        rc = regs(o2.get("reg_class"))
        pr = o2.get("print") or "printOperand"
    dflt = 0
    d = (o2 or {}).get("default_ops")
    if d and len(d) > 1 and isinstance(d[1], list) and len(d[1]) > 1 and isinstance(d[1][1], int):
        dflt = d[1][1]
    opt = bool(o2 and o2.get("optional"))
    pr = f'Print::Named("{pr.strip(chr(39))}")' if pr.startswith("'") else f'Print::{pr.removeprefix("print")}'
    return (f'Kind {{ name: "{k}", class: {match_class(k, o2)}, optype: OpType::{optype}, enc: Enc::{enc}, regs: {rc}, '
            f'print: {pr}, optional: {str(opt).lower()}, default: {dflt} }}')
