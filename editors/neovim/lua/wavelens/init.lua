-- Wavelens for Neovim 0.7 and newer: starts `wavelens lsp` for the four languages.
--
--   require('wavelens').setup({ cmd = { 'wavelens', 'lsp' }, settings = { target = 'gfx1100' } })

local M = {}

M.filetypes = { 'llvm', 'mir', 'spirv', 'amdgpu' }

local options = { cmd = { 'wavelens', 'lsp' }, settings = {}, on_attach = nil, capabilities = nil }
local clients = {}

local function root_of(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  return name ~= '' and vim.fn.fnamemodify(name, ':p:h') or vim.fn.getcwd()
end

local function attach(buffer)
  local root = root_of(buffer)
  if not clients[root] or not vim.lsp.get_client_by_id(clients[root]) then
    clients[root] = vim.lsp.start_client({
      name = 'wavelens',
      cmd = options.cmd,
      root_dir = root,
      init_options = options.settings,
      settings = { wavelens = options.settings },
      capabilities = options.capabilities or vim.lsp.protocol.make_client_capabilities(),
      on_attach = options.on_attach,
    })
  end
  if clients[root] then
    vim.lsp.buf_attach_client(buffer, clients[root])
  end
end

-- Asks the server to open the generated ISA of the buffer; it answers with window/showDocument.
function M.show_isa()
  vim.lsp.buf.execute_command({ command = 'wavelens.showIsa', arguments = { vim.uri_from_bufnr(0) } })
end

-- Shows a SPIR-V binary as text that cannot be written back.
local function read_binary(event)
  local file = vim.fn.fnamemodify(event.match, ':p')
  local text = vim.fn.systemlist({ options.cmd[1], 'disassemble', file })
  if vim.v.shell_error ~= 0 then
    vim.notify(table.concat(text, '\n'), vim.log.levels.ERROR)
  end
  vim.api.nvim_buf_set_lines(event.buf, 0, -1, false, text)
  vim.bo[event.buf].modified = false
  vim.bo[event.buf].modifiable = false
  vim.bo[event.buf].buftype = 'nowrite'
  vim.bo[event.buf].filetype = 'spirv'
end

function M.setup(user)
  options = vim.tbl_extend('force', options, user or {})
  local group = vim.api.nvim_create_augroup('wavelens', { clear = true })
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = M.filetypes,
    callback = function(event) attach(event.buf) end,
  })
  vim.api.nvim_create_autocmd('BufReadCmd', { group = group, pattern = '*.spv', callback = read_binary })
  vim.api.nvim_create_user_command('WavelensIsa', M.show_isa, { desc = 'Show generated ISA' })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.tbl_contains(M.filetypes, vim.bo[buffer].filetype) then attach(buffer) end
  end
end

return M
