# Wavelens through kakoune-lsp (18 or newer): source this file from your kakrc, after kakoune-lsp.

hook global BufCreate .*\.(ll|llir) %{ set-option buffer filetype llvm }
hook global BufCreate .*\.mir %{ set-option buffer filetype mir }
hook global BufCreate .*\.(spvasm|spv\.txt) %{ set-option buffer filetype spirv }
# `.s` belongs to many assemblers: use `set-option buffer filetype amdgpu`, or these names.
hook global BufCreate .*\.(amdgcn|gfx[0-9a-f]+)\.s %{ set-option buffer filetype amdgpu }
hook global BufCreate .*\.(amdgcn|rocmasm) %{ set-option buffer filetype amdgpu }

hook global BufSetOption filetype=(llvm|mir|spirv|amdgpu) %{
    set-option buffer comment_line ';'
    set-option buffer lsp_servers %{
        [wavelens]
        root_globs = ["wavelens.toml", ".git"]
        args = ["lsp"]
        # settings_section = "wavelens"
        # settings.wavelens = { target = "gfx1100" }
    }
    lsp-enable-window
}
