-- Wavelens for Neovim 0.7 and newer: starts `wavelens lsp` for the four languages, and shows what its commands write.
--
--   require('wavelens').setup({ cmd = { 'wavelens', 'lsp' }, settings = { target = 'gfx1100' } })

local M = {}

M.filetypes = { 'llvm', 'mir', 'spirv', 'amdgpu' }
M.root_markers = { 'wavelens.toml', '.git', '.hg', '.jj' }

-- The generated code that is shown, by its document: its buffer, and pairs of its lines and the document's, counted from 1.
local shown_code = {}
local mark = vim.api.nvim_create_namespace('wavelens_code')

local function code_found(source, answer)
  if not answer or not answer.file or not answer.starts then return end
  local code = { source = source, view = vim.fn.bufadd(answer.file), lines = {} }
  for _, pair in ipairs(answer.map) do
    code.lines[#code.lines + 1] = { view = pair[1] + answer.starts + 1, source = pair[2] + 1 }
  end
  shown_code[source] = code
end

-- The lines on the other side of the cursor's, of the nearest that has some: the buffer and its lines.
local function counterpart(code, side)
  local other, line = side == 'view' and 'source' or 'view', vim.fn.line('.')
  local nearest
  for _, pair in ipairs(code.lines) do
    if not nearest or math.abs(pair[side] - line) < math.abs(nearest - line) then nearest = pair[side] end
  end
  local found = {}
  for _, pair in ipairs(code.lines) do
    if pair[side] == nearest then found[#found + 1] = pair[other] end
  end
  return code[other], found
end

-- Marks what belongs to the cursor's line on the other side, and brings it into sight.
local function follow()
  local here = vim.api.nvim_get_current_buf()
  for _, code in pairs(shown_code) do
    local side = here == code.source and 'source' or here == code.view and 'view'
    if side and vim.api.nvim_buf_is_loaded(code.source) and vim.api.nvim_buf_is_loaded(code.view) then
      local buffer, lines = counterpart(code, side)
      vim.api.nvim_buf_clear_namespace(code.source, mark, 0, -1)
      vim.api.nvim_buf_clear_namespace(code.view, mark, 0, -1)
      for _, line in ipairs(lines) do vim.api.nvim_buf_add_highlight(buffer, mark, 'WavelensCode', line - 1, 0, -1) end
      local window = vim.fn.bufwinid(buffer)
      if lines[1] and window ~= -1 and lines[1] <= vim.api.nvim_buf_line_count(buffer) then
        vim.api.nvim_win_call(window, function()
          if lines[1] < vim.fn.line('w0') or lines[1] > vim.fn.line('w$') then
            vim.api.nvim_win_set_cursor(window, { lines[1], 0 })
            vim.cmd('normal! zz')
          end
        end)
      end
    end
  end
end

-- There is a new ISA: the file of the view is read again.
M.handlers = {
  ['wavelens/isaChanged'] = function(_, changed, context)
    vim.cmd('silent! checktime')
    local source = vim.uri_to_bufnr(changed.uri)
    local client = shown_code[source] and vim.lsp.get_client_by_id(context.client_id)
    if not client then return end
    client.request('wavelens/isa', { textDocument = { uri = changed.uri } }, function(_, answer)
      code_found(source, answer)
      follow()
    end, source)
  end,
}

local options = { cmd = { 'wavelens', 'lsp' }, settings = {}, on_attach = nil, capabilities = nil }
-- Clients by root, before Neovim 0.8.
local clients = {}
local said_missing = false

-- The files that commands write are shown here, so the server need not ask for it.
function M.capabilities(base)
  local all = vim.deepcopy(base or vim.lsp.protocol.make_client_capabilities())
  all.experimental = vim.tbl_extend('force', all.experimental or {}, { wavelens = { isaChanged = true, showsFiles = true } })
  return all
end

-- The project that a file belongs to: the nearest folder with a marker, else the working folder if the file is in it, else the file's own.
local function root_of(buffer)
  local name = vim.api.nvim_buf_get_name(buffer)
  if name == '' then return vim.fn.getcwd() end
  local own = vim.fn.fnamemodify(name, ':p:h')
  local folder = own
  while true do
    for _, marker in ipairs(M.root_markers) do
      if vim.loop.fs_stat(folder .. '/' .. marker) then return folder end
    end
    local parent = vim.fn.fnamemodify(folder, ':h')
    if parent == folder then break end
    folder = parent
  end
  local here = vim.fn.getcwd()
  return vim.startswith(own .. '/', here .. '/') and here or own
end

-- Whether the program can be run; says once that it cannot.
function M.is_installed(program)
  program = program or options.cmd[1]
  if vim.fn.executable(program) == 1 then return true end
  if not said_missing then
    said_missing = true
    local how = 'install it, or set `cmd` (:help wavelens-install)'
    -- Scheduled: a message within an autocommand is reported as an error of it.
    vim.schedule(function() vim.notify(('wavelens: `%s` was not found; %s'):format(program, how), vim.log.levels.WARN) end)
  end
  return false
end

-- Folders that the server writes views into; their files belong to the server that wrote them.
local function is_view(name) return name:find('/wavelens%-session%-%x+/') ~= nil end
-- The client that wrote a view, by its file.
local writers = {}

-- Attaches the client that wrote a view to its buffer.
local function attach_view(buffer)
  local writer = writers[vim.api.nvim_buf_get_name(buffer)]
  if writer and vim.lsp.get_client_by_id(writer) then vim.lsp.buf_attach_client(buffer, writer) end
end

-- For `vim.lsp.config`: the project of a buffer, which a view does not have.
function M.root_dir(buffer, found)
  if is_view(vim.api.nvim_buf_get_name(buffer)) then
    attach_view(buffer)
  else
    found(root_of(buffer))
  end
end

local function attach(buffer)
  if is_view(vim.api.nvim_buf_get_name(buffer)) then return attach_view(buffer) end
  local is_shown_binary = vim.b[buffer].wavelens_binary
  if (vim.bo[buffer].buftype ~= '' and not is_shown_binary) or not M.is_installed() then return end
  local config = {
    name = 'wavelens',
    cmd = options.cmd,
    root_dir = root_of(buffer),
    init_options = options.settings,
    settings = { wavelens = options.settings },
    capabilities = M.capabilities(options.capabilities),
    handlers = M.handlers,
    on_attach = options.on_attach,
  }
  if vim.lsp.start then
    vim.api.nvim_buf_call(buffer, function() vim.lsp.start(config) end)
    return
  end
  local root = config.root_dir
  if not clients[root] or not vim.lsp.get_client_by_id(clients[root]) then
    clients[root] = vim.lsp.start_client(config)
  end
  if clients[root] then vim.lsp.buf_attach_client(buffer, clients[root]) end
end

-- The clients of a buffer, or all of them.
local function running(buffer)
  local found = {}
  local all = vim.lsp.get_clients and vim.lsp.get_clients({ name = 'wavelens', bufnr = buffer })
    or (buffer and vim.lsp.buf_get_clients(buffer) or vim.lsp.get_active_clients())
  for _, client in pairs(all) do
    if client.name == 'wavelens' then found[#found + 1] = client end
  end
  return found
end

-- What `:checkhealth wavelens` reports.
function M.state() return { program = options.cmd[1], settings = options.settings, clients = running() } end

-- Views share one window next to the source.
local view_window

local function show(file, writer)
  writers[vim.fn.resolve(file)], writers[file] = writer, writer
  local here = vim.api.nvim_get_current_win()
  if not (view_window and vim.api.nvim_win_is_valid(view_window)) or view_window == here then
    vim.cmd('botright vsplit')
    view_window = vim.api.nvim_get_current_win()
  end
  vim.api.nvim_set_current_win(view_window)
  vim.cmd('silent view ' .. vim.fn.fnameescape(file))
  vim.bo.autoread = true
  vim.bo.modifiable = false
  vim.bo.swapfile = false
  vim.wo.wrap = false
  vim.wo.spell = false
  vim.api.nvim_set_current_win(here)
  vim.cmd('silent! checktime')
end

local function open_picture(file)
  local open = vim.fn.has('mac') == 1 and 'open' or vim.fn.has('win32') == 1 and 'explorer' or 'xdg-open'
  if vim.fn.executable(open) == 1 then vim.fn.jobstart({ open, file }, { detach = true }) end
  vim.notify('wavelens: the picture is in ' .. file)
end

-- Runs a command of the server on the buffer and shows what it writes. `more` goes with it (targets, pass, function, ...); `done` is called
-- when it is answered.
local function run(command, more, done)
  local source = vim.api.nvim_get_current_buf()
  local client = running(source)[1]
  if not client then
    if M.is_installed() then vim.notify('wavelens: no server for this buffer', vim.log.levels.WARN) end
    return
  end
  local argument = vim.tbl_extend('force', { uri = vim.uri_from_bufnr(0) }, more or {})
  local params = { command = command, arguments = { argument } }
  local function answered(problem, answer)
    if done then done() end
    if problem then
      vim.notify('wavelens: ' .. problem.message, vim.log.levels.WARN)
    elseif answer and answer.problem and (answer.text or '') == '' then
      vim.notify('wavelens: ' .. answer.problem, vim.log.levels.WARN)
    elseif answer and answer.report then
      show(answer.file, client.id)
      vim.bo[vim.fn.bufadd(answer.report)].buflisted = true
      -- Short: a message that does not fit into its line stops the editor.
      local report = vim.fn.fnamemodify(answer.report, ':t')
      vim.notify(('wavelens: reduced from %d to %d lines; report: `:b %s`'):format(answer.before, answer.after, report))
    elseif answer and answer.file then
      if answer.file:match('%.svg$') then open_picture(answer.file) else show(answer.file, client.id) end
      code_found(source, answer)
      follow()
    end
  end
  vim.lsp.buf_request(0, 'workspace/executeCommand', params, answered)
end

local function position()
  return vim.lsp.util.make_position_params(0, 'utf-16').position
end

-- The generated ISA of the buffer, kept fresh while it is edited; of a large module that of a function.
function M.show_isa(name) run('wavelens.showIsa', name and { ['function'] = name } or nil) end

-- The control-flow graph of the function at the cursor, or with `dominators` its dominator tree: `format` is `text` or `svg`.
function M.show_cfg(dominators, format)
  run('wavelens.cfg', { position = position(), dominators = dominators or false, format = format or 'text' })
end

-- Compares the SPIR-V modules of a pipeline: the buffer and other files.
function M.interface(files)
  run('wavelens.interface', { others = vim.tbl_map(function(file) return vim.uri_from_fname(vim.fn.fnamemodify(file, ':p')) end, files or {}) })
end

-- What kernels need on several processors.
function M.compare(targets) run('wavelens.compare', { targets = targets or {} }) end

-- What each pass changed; part of a pass's name chooses among them.
function M.passes(pass) run('wavelens.passes', { pass = pass or '' }) end

-- What each pass did to the value or line at the cursor.
function M.trace() run('wavelens.trace', { position = position() }) end

-- What passes could not do, and did.
function M.remarks() run('wavelens.remarks') end

-- Changes that give kernels more waves or fewer spills, each tried by compiling.
function M.advise() run('wavelens.advise') end

-- Makes the buffer smaller while it keeps a finding, or with `crash` while it crashes the compiler; without either the first error.
function M.reduce(condition)
  local is_done = false
  run('wavelens.reduce', { ['while'] = condition }, function() is_done = true end)
  vim.defer_fn(function()
    if not is_done then vim.notify('wavelens: reducing the file; :WavelensReduce! cancels it') end
  end, 1000)
end

function M.cancel_reduction() run('wavelens.reduce', { cancel = true }) end

-- Runs the RUN lines of a test, or one of them, and shows what they write.
function M.run_test(line) run('wavelens.lit.output', { line = line }) end

-- Takes settings over, without a restart: those named are changed, the others stay.
function M.change_settings(changed)
  options.settings = vim.tbl_deep_extend('force', options.settings, changed)
  for _, client in ipairs(running()) do
    local config = client.config
    config.init_options = vim.tbl_deep_extend('force', config.init_options or {}, changed)
    config.settings = vim.tbl_deep_extend('force', config.settings or {}, { wavelens = changed })
    client.settings = config.settings
    client.notify('workspace/didChangeConfiguration', { settings = config.settings })
  end
end

-- The processor for files that do not name one; without an argument says which it is.
function M.target(name)
  if name then
    M.change_settings({ target = name })
  else
    vim.notify('wavelens: target ' .. (options.settings.target or 'not set'))
  end
end

-- How many inlay hints: `off`, `calm` or `all`; without an argument the next of these.
function M.hints(preset)
  local next_preset = { off = 'calm', calm = 'all', all = 'off' }
  local now = (options.settings.inlayHints or {}).preset or 'calm'
  M.change_settings({ inlayHints = { preset = preset or next_preset[now] } })
  vim.notify('wavelens: inlay hints ' .. options.settings.inlayHints.preset)
end

-- Folds the CHECK lines of a test, or opens them where one is closed.
function M.fold_checks()
  local client = running(vim.api.nvim_get_current_buf())[1]
  if not client then return end
  local params = { textDocument = vim.lsp.util.make_text_document_params() }
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/foldingRange', params, 5000) or {}
  local folds = vim.tbl_filter(
    function(fold) return fold.collapsedText == 'CHECK lines' end,
    answers[client.id] and answers[client.id].result or {}
  )
  if #folds == 0 then return vim.notify('wavelens: no CHECK lines of a RUN line in this file') end
  local is_closed = vim.fn.foldclosed(folds[1].startLine + 1) ~= -1
  -- Other methods make folds themselves, and refuse those made by hand.
  vim.wo.foldmethod = 'manual'
  for _, fold in ipairs(folds) do
    local first, last = fold.startLine + 1, fold.endLine + 1
    if is_closed then
      pcall(vim.cmd, first .. 'foldopen')
    elseif vim.fn.foldlevel(first) > 0 then
      pcall(vim.cmd, first .. 'foldclose')
    else
      vim.cmd(('%d,%dfold'):format(first, last))
    end
  end
end

-- The processors that the server knows, newest first.
function M.processors()
  local names = {}
  for _, client in ipairs(running()) do
    for _, group in ipairs(vim.tbl_get(client.server_capabilities, 'experimental', 'targets', 'processors') or {}) do
      vim.list_extend(names, group[2])
    end
    if #names > 0 then break end
  end
  return names
end

-- Stops the server and starts it again for the buffers that it had.
function M.restart()
  local old = {}
  for _, client in ipairs(running()) do
    old[#old + 1] = { config = client.config, buffers = vim.lsp.get_buffers_by_client_id(client.id) }
    vim.lsp.stop_client(client.id)
  end
  clients, said_missing = {}, false
  vim.wait(3000, function() return #running() == 0 end, 20)
  for _, client in ipairs(old) do
    for _, buffer in ipairs(client.buffers) do
      if vim.lsp.start then
        if not is_view(vim.api.nvim_buf_get_name(buffer)) then
          vim.api.nvim_buf_call(buffer, function() vim.lsp.start(client.config) end)
        end
      else
        attach(buffer)
      end
    end
  end
  if #old == 0 then
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      if vim.tbl_contains(M.filetypes, vim.bo[buffer].filetype) then attach(buffer) end
    end
  end
end

function M.open_log()
  vim.cmd('tabedit ' .. vim.fn.fnameescape(vim.lsp.get_log_path()))
end

-- Shows a SPIR-V binary or an AMDGPU code object as text; SPIR-V is written back as a binary.
function M.read_binary(event)
  if not M.is_installed() then return end
  local file = vim.fn.fnamemodify(event.match, ':p')
  local text = vim.fn.systemlist({ options.cmd[1], 'disassemble', file })
  local is_readable = vim.v.shell_error == 0
  if not is_readable then
    vim.notify(table.concat(text, '\n'), vim.log.levels.ERROR)
  end
  -- Undo does not lead back to an empty buffer.
  local levels = vim.bo[event.buf].undolevels
  vim.bo[event.buf].undolevels = -1
  vim.bo[event.buf].modifiable = true
  vim.api.nvim_buf_set_lines(event.buf, 0, -1, false, text)
  vim.bo[event.buf].undolevels = levels
  local is_spirv = file:match('%.spv$') ~= nil
  local is_writable = is_spirv and is_readable
  vim.bo[event.buf].modified = false
  vim.bo[event.buf].modifiable = is_writable
  vim.bo[event.buf].buftype = is_writable and 'acwrite' or 'nowrite'
  vim.b[event.buf].wavelens_binary = true
  vim.bo[event.buf].filetype = is_spirv and 'spirv' or 'amdgpu'
  -- `vim.lsp.enable` passes over buffers of this type.
  if is_readable and #running(event.buf) == 0 then attach(event.buf) end
end

-- Writes the text of a buffer as a SPIR-V binary, unless it has errors.
function M.write_binary(event)
  if not M.is_installed() then return end
  local file = vim.fn.fnamemodify(event.match, ':p')
  local text = vim.api.nvim_buf_get_lines(event.buf, 0, -1, false)
  local command = { options.cmd[1], 'encode', '--dialect', 'spirv', '-o', file, '-' }
  local said = vim.fn.systemlist(command, table.concat(text, '\n') .. '\n')
  if vim.v.shell_error == 0 then
    vim.bo[event.buf].modified = false
  else
    vim.notify(table.concat(said, '\n'), vim.log.levels.ERROR)
  end
end

function M.setup(user)
  options = vim.tbl_extend('force', options, user or {})
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('wavelens', { clear = true }),
    pattern = M.filetypes,
    callback = function(event) attach(event.buf) end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.tbl_contains(M.filetypes, vim.bo[buffer].filetype) then attach(buffer) end
  end
end

M.follow = follow

return M
