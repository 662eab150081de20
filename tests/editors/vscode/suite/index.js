const fs = require("fs");
const path = require("path");
const Mocha = require("mocha");

exports.run = () =>
  new Promise((resolve, reject) => {
    const mocha = new Mocha({ ui: "bdd", timeout: 20000, reporter: "spec", color: false });
    for (const file of fs.readdirSync(__dirname).filter((f) => f.endsWith(".test.js"))) {
      mocha.addFile(path.join(__dirname, file));
    }
    mocha.run((failures) => (failures ? reject(new Error(`${failures} test(s) failed`)) : resolve()));
  });
