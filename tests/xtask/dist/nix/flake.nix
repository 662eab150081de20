{
  # nix run "github:wavelens/wavelens?dir=tests/xtask/dist/nix" -- check examples
  description = "Language server and checker for LLVM IR, Machine IR, SPIR-V and AMDGPU assembly";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      root = ../../../..;
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "wavelens";
          version = (builtins.fromTOML (builtins.readFile (root + "/Cargo.toml"))).workspace.package.version;
          src = root;
          cargoLock.lockFile = root + "/Cargo.lock";
          cargoBuildFlags = [ "--package" "wavelens" ];
          # The tests start compilers and editors.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = ''
            $out/bin/wavelens man --out man
            installManPage man/*.1
            for shell in bash fish zsh; do $out/bin/wavelens completions $shell > wavelens.$shell; done
            installShellCompletion wavelens.{bash,fish,zsh}
          '';
          meta = {
            license = with pkgs.lib.licenses; [ mit asl20 ];
            mainProgram = "wavelens";
          };
        };
      });
      devShells = each (pkgs: {
        default = pkgs.mkShell { packages = with pkgs; [ cargo rustc rustfmt clippy llvmPackages_22.llvm spirv-tools nodejs ]; };
      });
    };
}
