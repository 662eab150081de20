" Colours without, or before, those of the server.
if exists('b:current_syntax')
  finish
endif

syn case match
syn iskeyword @,48-57,_
syn match spirvEnumerant "\<[A-Z][A-Za-z0-9_]*\>"
syn match spirvOpcode "\<Op[A-Z][A-Za-z0-9]*\>"
syn match spirvId "%[a-zA-Z0-9_]\+"
syn match spirvNumber "\%(\k\)\@1<!!\?[-+]\?\%(0x\x\+\|\d\+\%(\.\d\+\)\?\%([eE][-+]\?\d\+\)\?\)\>"
syn region spirvString start=+"+ skip=+\\.+ end=+"+
syn match spirvComment ";.*$" contains=@Spell,spirvTodo
syn keyword spirvTodo contained TODO FIXME XXX RUN CHECK

hi def link spirvEnumerant Constant
hi def link spirvOpcode Statement
hi def link spirvId Identifier
hi def link spirvNumber Number
hi def link spirvString String
hi def link spirvComment Comment
hi def link spirvTodo Todo

let b:current_syntax = 'spirv'
