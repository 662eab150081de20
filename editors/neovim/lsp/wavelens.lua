-- For Neovim 0.11 and newer: vim.lsp.enable('wavelens'). Settings: vim.lsp.config('wavelens', { init_options = { target = 'gfx1100' } }).
local wavelens = require('wavelens')

return {
  -- A function: Neovim passes over a program that is missing without a word.
  cmd = function(dispatchers)
    wavelens.is_installed('wavelens')
    return vim.lsp.rpc.start({ 'wavelens', 'lsp' }, dispatchers)
  end,
  filetypes = wavelens.filetypes,
  root_dir = wavelens.root_dir,
  capabilities = wavelens.capabilities(),
  handlers = wavelens.handlers,
}
