" Colours without, or before, those of the server.
if exists('b:current_syntax')
  finish
endif

syn case match
syn iskeyword @,48-57,_
syn include @mirLlvm syntax/llvm.vim
unlet! b:current_syntax
syn region mirIr matchgroup=mirDocument start="^--- |.*$" end="^\.\.\.$" contains=@mirLlvm keepend
syn match mirDocument "^\%(---\|\.\.\.\)$"
syn match mirComment "^\s*#.*$" contains=mirTodo
syn match mirComment ";.*$" contains=mirTodo
syn keyword mirTodo contained TODO FIXME XXX RUN CHECK
syn match mirKey "\%(^\|[{,]\)\s*-\?\s*\zs[a-zA-Z][-a-zA-Z]*\ze:\%(\s\|$\)"
syn region mirString start=+'+ end=+'+ oneline
syn match mirNumber "\<-\?\d\+\>"
syn match mirType "\<[sp]\d\+\>"
syn match mirOpcode "\<[A-Z][A-Z0-9]*_[A-Za-z0-9_]\+\>"
syn match mirOpcode "\<[A-Z][A-Z0-9]\{2,}\>"
syn match mirRegister "\$[a-zA-Z0-9_]\+"
syn match mirVirtual "%[-a-zA-Z$._0-9]\+"
syn match mirGlobal "[@&][-a-zA-Z$._0-9]\+"
syn match mirMetadata "![-a-zA-Z$._0-9]*"
syn match mirBlock "%\?\<bb\.\d\+[-a-zA-Z$._0-9]*"
syn keyword mirModifier implicit dead killed undef internal renamable successors liveins nsw nuw exact nnan ninf nsz arcp contract afn reassoc
syn match mirModifier "\<\%(implicit-def\|early-clobber\|debug-use\|tied-def\|frame-setup\|frame-destroy\|debug-location\)\>"

hi def link mirDocument PreProc
hi def link mirComment Comment
hi def link mirTodo Todo
hi def link mirKey PreProc
hi def link mirString String
hi def link mirNumber Number
hi def link mirType Type
hi def link mirOpcode Statement
hi def link mirRegister Special
hi def link mirVirtual Identifier
hi def link mirGlobal Function
hi def link mirMetadata PreProc
hi def link mirBlock Label
hi def link mirModifier StorageClass

let b:current_syntax = 'mir'
