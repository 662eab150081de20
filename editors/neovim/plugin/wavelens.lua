-- Commands, the text of binaries, and colours. `require('wavelens').setup()` or `vim.lsp.enable('wavelens')` starts the server.
if vim.g.loaded_wavelens then return end
vim.g.loaded_wavelens = true

local function wavelens() return require('wavelens') end
local command = vim.api.nvim_create_user_command

command('WavelensIsa', function() wavelens().show_isa() end, { desc = 'Show generated ISA' })
command('WavelensCfg', function(c) wavelens().show_cfg(c.bang, c.args ~= '' and c.args or nil) end, {
  bang = true,
  nargs = '?',
  complete = function() return { 'text', 'svg' } end,
  desc = 'Show control flow; with ! the dominator tree',
})
command('WavelensCompare', function(c) wavelens().compare(c.fargs) end, { nargs = '*', desc = 'Compare processors' })
command('WavelensInterface', function(c) wavelens().interface(c.fargs) end, { nargs = '*', complete = 'file', desc = 'Compare the stages of a pipeline' })
command('WavelensTrace', function() wavelens().trace() end, { desc = 'Show what each pass did to the value at the cursor' })
command('WavelensRemarks', function() wavelens().remarks() end, { desc = 'Show what passes could not do, and did' })
command('WavelensAdvise', function() wavelens().advise() end, { desc = 'Try changes that give more waves or fewer spills' })
command('WavelensPasses', function(c) wavelens().passes(c.args) end, { nargs = '?', desc = 'Show what each pass changed' })
command('WavelensReduce', function(c)
  if c.bang then wavelens().cancel_reduction() else wavelens().reduce(c.args ~= '' and c.args or nil) end
end, { bang = true, nargs = '?', desc = 'Reduce the file to a finding or crash; with ! cancel it' })
command('WavelensTest', function() wavelens().run_test() end, { desc = 'Run the RUN lines and show their output' })
command('WavelensHints', function(c) wavelens().hints(c.args ~= '' and c.args or nil) end, {
  nargs = '?',
  complete = function() return { 'off', 'calm', 'all' } end,
  desc = 'Choose how many inlay hints are shown',
})
command('WavelensFoldChecks', function() wavelens().fold_checks() end, { desc = 'Fold the CHECK lines, or open them' })
command('WavelensTarget', function(c) wavelens().target(c.args ~= '' and c.args or nil) end, {
  nargs = '?',
  complete = function(start) return vim.tbl_filter(function(name) return vim.startswith(name, start) end, wavelens().processors()) end,
  desc = 'Choose the processor for files that do not name one',
})
command('WavelensRestart', function() wavelens().restart() end, { desc = 'Restart the server' })
command('WavelensLog', function() wavelens().open_log() end, { desc = 'Open the log of language servers' })

local binaries = vim.api.nvim_create_augroup('wavelens_binaries', { clear = true })
vim.api.nvim_create_autocmd('BufReadCmd', {
  group = binaries,
  pattern = { '*.spv', '*.hsaco', '*.co' },
  callback = function(event) wavelens().read_binary(event) end,
})
vim.api.nvim_create_autocmd('BufWriteCmd', {
  group = binaries,
  pattern = '*.spv',
  callback = function(event) wavelens().write_binary(event) end,
})

-- The generated code and its source follow each other.
vim.api.nvim_set_hl(0, 'WavelensCode', { default = true, link = 'Visual' })
vim.api.nvim_create_autocmd('CursorMoved', {
  group = vim.api.nvim_create_augroup('wavelens_code', { clear = true }),
  callback = function()
    if vim.tbl_contains(wavelens().filetypes, vim.bo.filetype) then wavelens().follow() end
  end,
})

-- Lenses and code actions ask for it.
vim.lsp.commands['wavelens.showIsa'] = function(lens)
  local argument = (lens.arguments or {})[1]
  wavelens().show_isa(type(argument) == 'table' and argument['function'] or nil)
end

vim.lsp.commands['wavelens.reduce'] = function(action) wavelens().reduce(((action.arguments or {})[1] or {})['while']) end
vim.lsp.commands['wavelens.lit.use'] = function(lens)
  local params = { command = 'wavelens.lit.use', arguments = lens.arguments }
  vim.lsp.buf_request(0, 'workspace/executeCommand', params, function() wavelens().show_isa() end)
end
vim.lsp.commands['wavelens.lit.output'] = function(lens) wavelens().run_test(((lens.arguments or {})[1] or {}).line) end

-- The lens over a kernel of assembly.
vim.lsp.commands['wavelens.cfg'] = function(lens)
  local place = ((lens.arguments or {})[1] or {}).position
  if place then vim.api.nvim_win_set_cursor(0, { place.line + 1, place.character }) end
  wavelens().show_cfg()
end

-- Whoever put this folder on 'runtimepath' without a plugin manager has no tags of its help.
local doc = vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h') .. '/doc'
if vim.fn.filereadable(doc .. '/tags') == 0 and vim.fn.filewritable(doc) == 2 then
  pcall(vim.cmd, 'helptags ' .. vim.fn.fnameescape(doc))
end

-- Kinds of tokens that Neovim does not know; a colour scheme may define them.
if vim.fn.has('nvim-0.9') == 1 then
  for kind, link in pairs({
    register = 'Special',
    label = 'Label',
    modifier = 'StorageClass',
    checkPrefix = 'PreProc',
    checkBody = 'Comment',
  }) do
    vim.api.nvim_set_hl(0, '@lsp.type.' .. kind, { default = true, link = link })
  end
end
