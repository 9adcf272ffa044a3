import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '#scripts/support/program.ts';
import { until } from '#scripts/support/until.ts';
import { type Engine, keyPresses, mousePress, onPath } from './engine.ts';

/** A profile that asks nothing of the network by itself and shows no questions. */
const preferences = {
  'app.update.enabled': false,
  'app.normandy.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.safebrowsing.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.systemAddon.update.enabled': false,
  'extensions.update.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'data:,',
  'toolkit.telemetry.enabled': false,
  // Without a window it knows of no mouse, and would be taken for a telephone (fine 2, hover 4).
  'ui.allPointerCapabilities': 6,
  'ui.primaryPointerCapabilities': 6,
};

type Answer = { type: string; id?: number; result?: unknown; error?: string; message?: string };

/** Debian's Firefox without a window, driven by WebDriver BiDi over its own WebSocket: no geckodriver is needed. */
export const firefox: Engine = {
  name: 'Firefox',
  missing: () => (onPath('firefox-esr', 'firefox') ? null : 'firefox-esr is not installed'),
  async drive(work) {
    const { folder, remove } = temporaryFolder();
    const lines = Object.entries(preferences).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    );
    writeFileSync(path.join(folder, 'user.js'), lines.join('\n'));
    const browser = spawn(
      onPath('firefox-esr', 'firefox') ?? '',
      [
        '--headless',
        '--no-remote',
        '--width',
        '1440',
        '--height',
        '900',
        '--profile',
        folder,
        '--remote-debugging-port',
        '0',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, HOME: folder } },
    );
    const closed = once(browser, 'close');
    try {
      let said = '';
      browser.stderr.on('data', (chunk) => {
        said += chunk;
      });
      await until(() => /ws:\/\/\S+/.test(said) || browser.exitCode !== null);
      const address = /ws:\/\/\S+/.exec(said)?.[0];
      if (!address) throw new Error(`Firefox ended: ${said}`);
      const call = await connect(`${address}/session`);
      await call('session.new', { capabilities: {} });
      const { contexts } = await call<{ contexts: { context: string }[] }>('browsingContext.getTree', { maxDepth: 0 });
      const context = contexts[0]?.context;
      await call('browsingContext.setViewport', { context, viewport: { width: 1440, height: 900 } });
      return await work({
        open: async (url) => void (await call('browsingContext.navigate', { context, url, wait: 'complete' })),
        async evaluate(expression) {
          const { result, exceptionDetails } = await call<Evaluated>('script.evaluate', {
            expression,
            target: { context },
            awaitPromise: true,
          });
          if (exceptionDetails) throw new Error(exceptionDetails.text);
          return result?.value ?? '';
        },
        press: async (x, y) => void (await call('input.performActions', { context, actions: mousePress(x, y) })),
        type: async (text) => void (await call('input.performActions', { context, actions: keyPresses(text) })),
      });
    } finally {
      browser.kill('SIGKILL');
      await closed;
      remove();
    }
  },
};

type Evaluated = { result?: { value: string }; exceptionDetails?: { text: string } };

/** A function that sends a command and returns its result, or throws what the browser says is wrong. */
async function connect(address: string) {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error(`No connection to ${address}`));
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.onmessage = ({ data }) => {
    const answer: Answer = JSON.parse(data);
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  };
  socket.onclose = () => {
    for (const answer of waiting.values()) answer({ type: 'error', error: 'closed', message: 'Firefox is gone' });
  };
  let last = 0;
  return async <T>(method: string, params: object): Promise<T> => {
    const id = ++last;
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    waiting.delete(id);
    if (answer.type === 'error') throw new Error(`${method}: ${answer.error} ${answer.message}`);
    return answer.result as T;
  };
}
