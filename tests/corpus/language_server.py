"""A language server on its standard streams, for the scripts that measure what an editor gets."""
import json, queue, subprocess, threading, time

LANGUAGES = {".ll": "llvm", ".llir": "llvm", ".mir": "mir", ".spvasm": "spirv", ".s": "amdgpu", ".amdgcn": "amdgpu"}


class Server:
    def __init__(self, program, capabilities=None, options=None):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.messages, self.asked = queue.Queue(), 0
        threading.Thread(target=self._read, daemon=True).start()
        start = {"processId": None, "rootUri": None, "capabilities": capabilities or {}, "initializationOptions": options}
        self.request("initialize", start)
        self.notify("initialized", {})

    def _read(self):
        stream = self.process.stdout
        while True:
            size = 0
            while line := stream.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            if not size:
                self.messages.put(None)
                return
            message = json.loads(stream.read(size))
            if "method" in message and "id" in message:  # a question of the server
                self.send({"id": message["id"], "result": [None] * len((message.get("params") or {}).get("items", [])) or None})
            else:
                self.messages.put(message)

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def wait(self, wanted, seconds=600.0):
        """The first message that is wanted; None if none came in time."""
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            try:
                message = self.messages.get(timeout=left)
            except queue.Empty:
                return None
            if message is None:
                raise SystemExit("the server ended")
            if wanted(message):
                return message
        return None

    def request(self, method, params, seconds=600.0):
        """The result; None also if there was no answer in time."""
        self.asked += 1
        number = self.asked
        self.send({"id": number, "method": method, "params": params})
        return (self.wait(lambda message: message.get("id") == number, seconds) or {}).get("result")
