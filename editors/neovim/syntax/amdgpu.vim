" Colours without, or before, those of the server.
if exists('b:current_syntax')
  finish
endif

syn case match
syn iskeyword @,48-57,_
syn match amdgpuDirective "\%(^\|[:;]\)\s*\zs\.[a-zA-Z_][a-zA-Z0-9_.]*"
syn match amdgpuLabel "^\s*[.$@a-zA-Z0-9_]\+\ze:"
syn match amdgpuInstruction "\<\%(s\|v\|ds\|buffer\|tbuffer\|global\|flat\|scratch\|image\|exp\)_[a-z0-9_]\+\>"
syn match amdgpuInstruction "\<exp\>"
syn match amdgpuRegister "\<\%([vas]\d\+\|[vas]\ze\[\|ttmp\d\+\|vcc\%(_lo\|_hi\)\?\|exec\%(_lo\|_hi\)\?\|m0\|scc\|null\|vccz\|execz\)\>"
syn match amdgpuNumber "\%(\k\)\@1<!-\?\%(0x\x\+\|0b[01]\+\|\d\+\%(\.\d\+\%([eE][-+]\?\d\+\)\?\)\?\)\>"
syn keyword amdgpuModifier off offen idxen glc slc dlc sc0 sc1 nt tfe lwe d16 a16 r128 unorm da gds lds clamp mul div abs neg
syn keyword amdgpuModifier vmcnt lgkmcnt expcnt vscnt offset offset0 offset1 op_sel op_sel_hi neg_lo neg_hi dmask dim
syn region amdgpuString start=+"+ skip=+\\.+ end=+"+ oneline
syn match amdgpuComment ";.*$" contains=@Spell,amdgpuTodo
syn match amdgpuComment "//.*$" contains=@Spell,amdgpuTodo
syn region amdgpuComment start="/\*" end="\*/" contains=@Spell,amdgpuTodo
syn keyword amdgpuTodo contained TODO FIXME XXX RUN CHECK

hi def link amdgpuDirective PreProc
hi def link amdgpuLabel Label
hi def link amdgpuInstruction Statement
hi def link amdgpuRegister Special
hi def link amdgpuNumber Number
hi def link amdgpuModifier StorageClass
hi def link amdgpuString String
hi def link amdgpuComment Comment
hi def link amdgpuTodo Todo

let b:current_syntax = 'amdgpu'
