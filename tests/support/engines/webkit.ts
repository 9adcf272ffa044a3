import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { freePort, temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { type Engine, keyPresses, mousePress, onPath } from './engine.ts';

const miniBrowser = () => globSync('/usr/{lib,libexec}/{*/,}webkit2gtk-4.*/MiniBrowser').sort().at(-1);

/** The smallest browser of WebKitGTK, in a screen of its own, driven by WebDriver. */
export const webkit: Engine = {
  name: 'WebKitGTK',
  missing() {
    if (!onPath('WebKitWebDriver') || !miniBrowser()) return 'webkit2gtk-driver is not installed';
    return onPath('Xvfb') ? null : 'xvfb is not installed';
  },
  async drive(work) {
    const home = temporaryFolder();
    const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1100x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    let driver: ChildProcess | undefined;
    try {
      let display = '';
      screen.stdio[3]?.on('data', (chunk) => {
        display += chunk;
      });
      await until(() => display.includes('\n') || screen.exitCode !== null);
      const port = await freePort();
      driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
        stdio: 'ignore',
        env: { ...process.env, DISPLAY: `:${display.trim()}`, HOME: home.folder, LIBGL_ALWAYS_SOFTWARE: '1' },
      });
      const service = `http://127.0.0.1:${port}`;
      await until(() =>
        fetch(`${service}/status`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      const browser = { binary: miniBrowser(), args: ['--automation', '--private'] };
      const { sessionId } = await ask<{ sessionId: string }>('POST', `${service}/session`, {
        capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': browser } },
      });
      const session = `${service}/session/${sessionId}`;
      try {
        await ask('POST', `${session}/window/rect`, { x: 0, y: 0, width: 1440, height: 1000 });
        return await work({
          open: (url) => ask('POST', `${session}/url`, { url }),
          evaluate: (expression) =>
            ask('POST', `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
          press: (x, y) => ask('POST', `${session}/actions`, { actions: mousePress(x, y) }),
          type: (text) => ask('POST', `${session}/actions`, { actions: keyPresses(text) }),
        });
      } finally {
        await ask('DELETE', session).catch(() => undefined);
      }
    } finally {
      for (const each of [driver, screen]) {
        if (!each || each.exitCode !== null) continue;
        each.kill();
        await once(each, 'close');
      }
      home.remove();
    }
  },
};

async function ask<T>(method: string, url: string, body?: object): Promise<T> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}
