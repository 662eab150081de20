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

-- The answers of commands are shown here, so the server need not ask for it.
local function capabilities()
  local all = vim.deepcopy(options.capabilities or vim.lsp.protocol.make_client_capabilities())
  all.experimental = vim.tbl_extend('force', all.experimental or {}, { wavelens = { isaChanged = true, showsFiles = true } })
  return all
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
      capabilities = capabilities(),
      handlers = {
        -- The view of the ISA is read again when there is a new one.
        ['wavelens/isaChanged'] = function() vim.cmd('checktime') end,
      },
      on_attach = options.on_attach,
    })
  end
  if clients[root] then
    vim.lsp.buf_attach_client(buffer, clients[root])
  end
end

-- Files that the server writes, by command, and the windows' buffers.
local function show(file)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window)) == file then
      vim.cmd('checktime')
      return
    end
  end
  local here = vim.api.nvim_get_current_win()
  vim.cmd('vsplit | view ' .. vim.fn.fnameescape(file))
  vim.bo.autoread = true
  if file:match('%.s$') then vim.bo.filetype = 'amdgpu' end
  vim.api.nvim_set_current_win(here)
end

-- Runs a command of the server on the buffer and opens what it writes beside it. `more` goes with it (targets, pass, function, ...).
local function run(command, more)
  local argument = vim.tbl_extend('force', { uri = vim.uri_from_bufnr(0) }, more or {})
  local params = { command = command, arguments = { argument } }
  vim.lsp.buf_request(0, 'workspace/executeCommand', params, function(problem, answer)
    if problem then
      vim.notify('wavelens: ' .. problem.message, vim.log.levels.WARN)
    elseif answer and answer.problem and (answer.text or '') == '' then
      vim.notify('wavelens: ' .. answer.problem, vim.log.levels.WARN)
    elseif answer and answer.file then
      if answer.file:match('%.svg$') then
        local open = vim.fn.has('mac') == 1 and 'open' or 'xdg-open'
        if vim.fn.executable(open) == 1 then vim.fn.jobstart({ open, answer.file }, { detach = true }) end
        vim.notify('wavelens: ' .. answer.file)
      else
        show(answer.file)
      end
    end
  end)
end

local function position()
  return vim.lsp.util.make_position_params(0, 'utf-16').position
end

-- The generated ISA of the buffer, kept fresh while it is edited.
function M.show_isa() run('wavelens.showIsa') end

-- The control-flow graph of the function at the cursor as a picture; with `dominators` its dominator tree.
function M.show_cfg(dominators) run('wavelens.cfg', { position = position(), dominators = dominators or false }) end

-- What kernels take on several processors.
function M.compare(targets) run('wavelens.compare', { targets = targets or {} }) end

-- What each pass changed; part of a pass's name chooses among them.
function M.passes(pass) run('wavelens.passes', { pass = pass or '' }) end

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
  vim.lsp.commands['wavelens.showIsa'] = M.show_isa
  local command = vim.api.nvim_create_user_command
  command('WavelensIsa', M.show_isa, { desc = 'Show generated ISA' })
  command('WavelensCfg', function(c) M.show_cfg(c.bang) end, { bang = true, desc = 'Draw control flow; with ! the dominator tree' })
  command('WavelensCompare', function(c) M.compare(c.fargs) end, { nargs = '*', desc = 'Compare processors' })
  command('WavelensPasses', function(c) M.passes(c.args) end, { nargs = '?', desc = 'Show what each pass changed' })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.tbl_contains(M.filetypes, vim.bo[buffer].filetype) then attach(buffer) end
  end
end

return M
