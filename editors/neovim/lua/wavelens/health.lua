-- `:checkhealth wavelens`: the server, the tools that it finds, the buffers that it answers, and the settings.

local health = vim.health or require('health')
-- The module before Neovim 0.8, and the names before 0.10.
local start, ok, warn, fail, info =
  health.start or health.report_start,
  health.ok or health.report_ok,
  health.warn or health.report_warn,
  health.error or health.report_error,
  health.info or health.report_info

local M = {}

local function version()
  local v = vim.version()
  return ('%d.%d.%d'):format(v.major, v.minor, v.patch)
end

local function tools(program)
  start('Tools that the server finds')
  for _, line in ipairs(vim.fn.systemlist({ program, 'doctor' })) do
    if line:find('not found') then warn(line) else ok(line) end
  end
end

function M.check()
  local state = require('wavelens').state()
  start('Wavelens')
  if vim.fn.has('nvim-0.7') == 1 then ok('Neovim ' .. version()) else fail('Neovim ' .. version() .. '; 0.7 or newer is needed') end
  local path = vim.fn.exepath(state.program)
  if path == '' then
    fail(('`%s` was not found'):format(state.program), { 'install it, or set `cmd` (:help wavelens-install)' })
    return
  end
  ok(('%s at %s'):format(vim.fn.systemlist({ path, '--version' })[1] or 'server', path))
  if #state.clients == 0 then
    info('no server runs: open a file of a type in `require("wavelens").filetypes`, or see :help wavelens-install')
  end
  for _, client in ipairs(state.clients) do
    local buffers = vim.lsp.get_buffers_by_client_id(client.id)
    ok(('client %d answers %d buffers of %s'):format(client.id, #buffers, client.config.root_dir or 'no project'))
    local settings = client.config.init_options or {}
    info('target: ' .. (settings.target or 'not set; files that do not name one are compiled for the default'))
    info('settings: ' .. vim.inspect(settings):gsub('%s+', ' '))
  end
  info('log: ' .. vim.lsp.get_log_path() .. ' (:WavelensLog)')
  tools(path)
end

return M
