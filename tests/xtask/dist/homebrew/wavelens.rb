class Wavelens < Formula
  desc "Language server and checker for LLVM IR, Machine IR, SPIR-V and AMDGPU assembly"
  homepage "https://github.com/wavelens/wavelens"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "https://github.com/wavelens/wavelens/releases/download/v@VERSION@/wavelens-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256:aarch64-apple-darwin@"
    end
    on_intel do
      url "https://github.com/wavelens/wavelens/releases/download/v@VERSION@/wavelens-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256:x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/wavelens/wavelens/releases/download/v@VERSION@/wavelens-@VERSION@-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256:aarch64-unknown-linux-gnu@"
    end
    on_intel do
      url "https://github.com/wavelens/wavelens/releases/download/v@VERSION@/wavelens-@VERSION@-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256:x86_64-unknown-linux-gnu@"
    end
  end

  def install
    prefix.install "bin", "share"
  end

  test do
    (testpath/"bad.ll").write "define i32 @f() {\n  ret i32 %x\n}\n"
    assert_match "undefined-value", shell_output("#{bin}/wavelens check bad.ll", 1)
  end
end
