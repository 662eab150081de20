if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=;\ %s
setlocal comments=b:;
" Sigils belong to names: completion and `*` take them along.
setlocal iskeyword=@,48-57,_,%
setlocal omnifunc=v:lua.vim.lsp.omnifunc
setlocal shiftwidth=4

let b:undo_ftplugin = 'setlocal commentstring< comments< iskeyword< omnifunc< shiftwidth<'
