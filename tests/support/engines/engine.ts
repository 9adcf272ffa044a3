import { existsSync } from 'node:fs';
import path from 'node:path';
import { until } from '#scripts/support/until.ts';

/**
 * The interface of each browser: few acts, so that one client serves every engine. Coordinates are CSS pixels of the
 * window.
 */
export type Driver = {
  /** Opens an address and waits until the page has loaded. */
  open(address: string): Promise<void>;
  /** Evaluates an expression in the page; its value, or what its promise gives, must be a string. */
  evaluate(expression: string): Promise<string>;
  press(x: number, y: number): Promise<void>;
  /** Types a text; `\n` presses Enter. */
  type(text: string): Promise<void>;
};

export type Engine = {
  name: string;
  /** The missing programs on this machine, in words; null when it can be driven. */
  missing(): string | null;
  /** Runs work in a fresh browser with a profile of its own. */
  drive<T>(work: (driver: Driver) => Promise<T>): Promise<T>;
};

/** A file of this name on the path, or null. */
export function onPath(...names: string[]): string | null {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const candidates = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}

/** How long something may take on a busy machine before a step fails. */

/** The acts of a visitor, the same for every engine. Selectors are CSS; an act waits until its element is there. */
export class Visitor {
  readonly driver: Driver;
  readonly origin: string;

  constructor(driver: Driver, origin: string) {
    this.driver = driver;
    this.origin = origin;
  }

  /** Opens a path and waits until React has taken the page over. */
  async open(address: string): Promise<void> {
    await this.driver.open(this.origin + address);
    await this.hydrated();
  }

  /** Waits until React has taken the page over and what it does afterwards has been painted. */
  async hydrated(): Promise<void> {
    await this.holds(() => Object.keys(document.body ?? {}).some((key) => key.startsWith('__reactFiber')));
    await this.painted();
  }

  /** Waits for two frames: a page that fades into the next paints none before the next one is there. */
  private painted(): Promise<unknown> {
    return this.run(
      () =>
        new Promise<void>((done) => {
          const timer = setTimeout(done, 10_000);
          requestAnimationFrame(() =>
            requestAnimationFrame(() => {
              clearTimeout(timer);
              done();
            }),
          );
        }),
    );
  }

  /** Waits until one page has faded into the next. */
  settled(): Promise<void> {
    return this.until('the page has come to rest', async () => {
      await this.painted();
      return this.run(() =>
        document
          .getAnimations()
          .every(
            ({ effect }) => !(effect instanceof KeyframeEffect && effect.pseudoElement?.includes('view-transition')),
          ),
      );
    });
  }

  /** Calls a function in the page, which can use nothing from outside itself; arguments and result as JSON has them. */
  async run<A extends unknown[], T>(work: (...args: A) => T, ...args: A): Promise<Awaited<T>> {
    const call = `Promise.resolve((${work})(...${JSON.stringify(args)})).then((value) => JSON.stringify(value ?? null))`;
    return JSON.parse(await this.driver.evaluate(call));
  }

  /** Waits until a function in the page returns true. */
  holds<A extends unknown[]>(condition: (...args: A) => boolean, ...args: A): Promise<void> {
    return this.until(`${condition} with ${JSON.stringify(args)}`, () => this.run(condition, ...args));
  }

  /** Waits until something is so; between two pages, where nothing can be asked, it is not. Throws where it waited. */
  private async until(what: string, holds: () => Promise<boolean>): Promise<void> {
    try {
      await until(() => holds().catch(() => false));
    } catch {
      const place = await this.run(() => location.href).catch(() => 'a page that does not answer');
      throw new Error(`Still not so at ${place}: ${what}`);
    }
  }

  /** Waits until path and query match a pattern. */
  at(pattern: RegExp): Promise<void> {
    return this.holds((source) => new RegExp(source).test(location.pathname + location.search), pattern.source);
  }

  /**
   * Presses the first shown element of a selector in its middle, or the one whose text begins with `text`, as soon as
   * nothing covers it: while one page fades into the next, a press would hit neither.
   */
  async press(selector: string, text = ''): Promise<void> {
    let [x, y] = [0, 0];
    await this.until(`${selector} ${text} can be pressed`, async () => {
      await this.painted();
      [x, y] = await this.run(
        (wanted, begins) => {
          const all = [...document.querySelectorAll<HTMLElement>(wanted)];
          const one = all.find(
            (each) => each.getClientRects().length > 0 && (each.textContent ?? '').trim().startsWith(begins),
          );
          one?.scrollIntoView({ block: 'center', behavior: 'instant' });
          const box = one?.getBoundingClientRect() ?? new DOMRect();
          const middle: [number, number] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
          return one?.contains(document.elementFromPoint(...middle)) ? middle : [0, 0];
        },
        selector,
        text,
      );
      return x > 0;
    });
    await this.driver.press(x, y);
  }

  /** Presses a field and types into it. */
  async fill(selector: string, text: string): Promise<void> {
    await this.press(selector);
    await this.driver.type(text);
    await this.holds((wanted) => Boolean(document.querySelector<HTMLInputElement>(wanted)?.value), selector);
  }

  /** Chooses in a list: by script, because the list itself is drawn outside the page. */
  async choose(selector: string, value: string): Promise<void> {
    await this.run(
      (wanted, chosen) => {
        const list = document.querySelector<HTMLSelectElement>(wanted);
        if (!list) throw new Error(`No ${wanted}`);
        list.value = chosen;
        list.dispatchEvent(new Event('input', { bubbles: true }));
        list.dispatchEvent(new Event('change', { bubbles: true }));
      },
      selector,
      value,
    );
  }
}

/**
 * What only the browser can know and adds: the time in the visitor's own zone (P14), how long an offer still runs
 * (P34), and passkeys where it knows them.
 */
const addedByBrowsers = [
  ' \\([^)]* where you are\\)',
  'Below it the time in [A-Z][A-Za-z ]*?(?=\\d)',
  '(?<=\\d [AP]M)\\d+:\\d\\d [AP]M in [A-Z][A-Za-z ]*?(?=\\d)',
  '\\d\\dd\\d\\dh\\d\\dm\\d\\ds',
  'or a passkey(?=Bowerbird)',
];

/** The first words in which the page shown differs from the one that the server sent; null when they are the same. */
export async function differingText(visitor: Visitor): Promise<string | null> {
  return visitor.run(async (added) => {
    const textOf = (from: Document) => {
      const body = from.body.cloneNode(true) as HTMLElement;
      for (const other of body.querySelectorAll('script,style,noscript,template')) other.remove();
      const text = (body.textContent ?? '').replace(/\s+/g, ' ').trim();
      return added.reduce((rest, pattern) => rest.replace(new RegExp(pattern, 'g'), ''), text);
    };
    const sent = await (await fetch(location.href, { headers: { Accept: 'text/html' } })).text();
    const [server, browser] = [textOf(new DOMParser().parseFromString(sent, 'text/html')), textOf(document)];
    if (server === browser) return null;
    let at = 0;
    while (server[at] === browser[at]) at++;
    const from = Math.max(0, at - 30);
    return `server “${server.slice(from, at + 60)}”, browser “${browser.slice(from, at + 60)}”`;
  }, addedByBrowsers);
}

/** The errors of this visit so far, on every page. */
export const heardErrors = (visitor: Visitor) => visitor.run(() => window.heardErrors ?? ['nobody listened']);

/** Acts as WebDriver and WebDriver BiDi both write them. */
type Action = { type: string; [key: string]: unknown };
type Source = { type: string; id: string; parameters?: { pointerType: string }; actions: Action[] };

/** A press of the mouse's main button at a place of the window. */
export const mousePress = (x: number, y: number): Source[] => [
  {
    type: 'pointer',
    id: 'mouse',
    parameters: { pointerType: 'mouse' },
    actions: [
      { type: 'pointerMove', x, y, duration: 0 },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ],
  },
];

/** Keys pressed one after the other; a new line is Enter. */
export const keyPresses = (text: string): Source[] => [
  {
    type: 'key',
    id: 'keyboard',
    actions: [...text].flatMap((letter) => {
      const value = letter === '\n' ? '\uE007' : letter;
      return [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ];
    }),
  },
];
