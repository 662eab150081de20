-- Drives a real Neovim: WAVELENS names the server. Prints what a user would see; leaves with an error if a step fails.
local server = os.getenv('WAVELENS')
local function say(...) io.write(string.format(...) .. '\n') end
local function wait(what, condition)
  assert(vim.wait(10000, condition, 20), 'timed out: ' .. what)
end

local ok, problem = pcall(function()
  require('wavelens').setup({ cmd = { server, 'lsp' }, settings = { diagnosticsDebounceMs = 0 } })
  vim.cmd('edit ' .. os.getenv('WAVELENS_FILE'))
  say('FILETYPE %s', vim.bo.filetype)
  wait('first diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
  for _, d in ipairs(vim.diagnostic.get(0)) do
    say('DIAGNOSTIC %d:%d %s [%s]', d.lnum + 1, d.col + 1, d.message:gsub('\n.*', ''), d.code or '')
  end
  local line = vim.fn.search('itme')
  local params = vim.lsp.util.make_position_params(0, 'utf-16')
  params.position = { line = vim.fn.search('%group = call') - 1, character = 4 }
  local hover = vim.lsp.buf_request_sync(0, 'textDocument/hover', params, 5000)
  for _, answer in pairs(hover) do say('HOVER %s', answer.result and 'yes' or 'none') end
  vim.api.nvim_win_set_cursor(0, { vim.fn.search('icmp slt'), 26 })
  local column = vim.fn.getline('.'):find('%%i,') or 1
  vim.api.nvim_win_set_cursor(0, { vim.fn.line('.'), column })
  vim.lsp.buf.definition()
  wait('definition', function() return vim.fn.getline('.'):find('%%i = add') ~= nil end)
  say('DEFINITION %s', vim.fn.getline('.'))
  local broken = vim.api.nvim_buf_get_lines(0, line - 1, line, false)[1]
  local before = #vim.diagnostic.get(0)
  local from = broken:find('itme')
  vim.api.nvim_buf_set_text(0, line - 1, from - 1, line - 1, from + 3, { 'item' })
  wait('one diagnostic fewer', function() return #vim.diagnostic.get(0) < before end)
  say('MENDED one of %d', before)
end)
if not ok then say('FAILED %s', tostring(problem)) end
vim.cmd('qa!')
