/** First versions that have something; null where none has it. */
type Versions = { chrome: number; safari: number; firefox: number };
type Newer = {
  name: string;
  since: { [browser in keyof Versions]: number | null };
  use: RegExp;
  /** What a file holds that asks before it uses it. */
  asked?: RegExp;
};

/**
 * What is newer than the oldest browsers we may name, and is easily written by mistake; the versions are those of MDN's
 * tables. What a browser reads past (attributes, at-rules of CSS, properties) is no fault and is not listed.
 */
const scripts: Newer[] = [
  { name: 'URL.canParse', since: { chrome: 120, safari: 17, firefox: 115 }, use: /\.canParse\(/ },
  { name: 'URL.parse', since: { chrome: 126, safari: 18, firefox: 126 }, use: /\bURL\.parse\(/ },
  { name: 'Object.groupBy', since: { chrome: 117, safari: 17.4, firefox: 119 }, use: /\b(Object|Map)\.groupBy\(/ },
  { name: 'Array.fromAsync', since: { chrome: 121, safari: 16.4, firefox: 115 }, use: /\.fromAsync\(/ },
  { name: 'Promise.withResolvers', since: { chrome: 119, safari: 17.4, firefox: 121 }, use: /\.withResolvers\(/ },
  { name: 'Promise.try', since: { chrome: 128, safari: 18.2, firefox: 134 }, use: /\bPromise\.try\(/ },
  { name: 'structuredClone', since: { chrome: 98, safari: 15.4, firefox: 94 }, use: /\bstructuredClone\(/ },
  {
    name: 'Array.toSorted and its kin',
    since: { chrome: 110, safari: 16, firefox: 115 },
    use: /\.to(Sorted|Reversed|Spliced)\(/,
  },
  {
    name: 'helpers of iterators',
    since: { chrome: 122, safari: 18.4, firefox: 131 },
    // Object.keys and its kin give arrays.
    use: /\bIterator\.from\(|(?<!\bObject)\.(values|entries|keys|matchAll)\([^()]*\)\.(map|filter|take|drop|flatMap|reduce|toArray|forEach|some|every|find)\(/,
  },
  {
    name: 'methods of sets',
    since: { chrome: 122, safari: 17, firefox: 127 },
    use: /\.(isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/,
  },
  {
    name: 'the v flag of regular expressions',
    since: { chrome: 112, safari: 17, firefox: 116 },
    use: /[^\s/]\/[dgimsuy]*v[dgimsuy]*(?=[.,;)\]}])/,
  },
  { name: 'RegExp.escape', since: { chrome: 136, safari: 18.2, firefox: 134 }, use: /\bRegExp\.escape\(/ },
  {
    name: 'modifiers in regular expressions',
    since: { chrome: 125, safari: null, firefox: 132 },
    use: /\(\?[ims]+(-[ims]+)?:/,
  },
  { name: 'AbortSignal.any', since: { chrome: 116, safari: 17.4, firefox: 124 }, use: /\bAbortSignal\.any\(/ },
  { name: 'Response.json', since: { chrome: 105, safari: 17, firefox: 115 }, use: /\bResponse\.json\(/ },
  { name: 'ReadableStream.from', since: { chrome: null, safari: null, firefox: 117 }, use: /\bReadableStream\.from\(/ },
  {
    name: 'base64 of bytes',
    since: { chrome: 140, safari: 18.2, firefox: 133 },
    use: /\.(fromBase64|toBase64|fromHex|toHex)\(/,
  },
  { name: 'Intl.DurationFormat', since: { chrome: 129, safari: 16.4, firefox: 136 }, use: /\.DurationFormat\(/ },
  { name: 'Temporal', since: { chrome: 144, safari: null, firefox: 139 }, use: /\bTemporal\./ },
  { name: 'checkVisibility', since: { chrome: 105, safari: 17.4, firefox: 106 }, use: /\.checkVisibility\(/ },
  { name: 'scheduler', since: { chrome: 129, safari: null, firefox: 142 }, use: /\bscheduler\.(yield|postTask)\(/ },
  {
    name: 'requestIdleCallback',
    since: { chrome: 47, safari: null, firefox: 55 },
    use: /\brequestIdleCallback\(/,
    asked: /requestIdleCallback["'`]? ?in (window|globalThis)/,
  },
  {
    name: 'popovers',
    since: { chrome: 114, safari: 17, firefox: 125 },
    use: /\.(showPopover|hidePopover|togglePopover)\(|:popover-open/,
    asked: /\.showPopover(&&|\?\.|\?)/,
  },
  {
    name: 'the Navigation API',
    since: { chrome: 102, safari: 26.2, firefox: 147 },
    use: /\bnavigation\.(entries|currentEntry|addEventListener|navigate|traverseTo|back)\b|\bwindow\.navigation\b/,
    asked: /navigation["'`]? ?in (window|globalThis)|\.navigation(&&|\?\.|===void 0)|typeof navigation/,
  },
  {
    name: 'transitions between pages',
    since: { chrome: 111, safari: 18, firefox: 144 },
    use: /\.startViewTransition\(/,
    asked: /startViewTransition ?={2,3} ?["'`]function|try\{[^}]*startViewTransition\(/,
  },
];

/** A list of selectors is lost with all its rules where one of them is unknown; `:is` and `:where` forgive. */
const selectors: Newer[] = [
  { name: ':popover-open', since: { chrome: 114, safari: 17, firefox: 125 }, use: /:popover-open/ },
  { name: ':open', since: { chrome: 133, safari: null, firefox: 136 }, use: /:open\b/ },
  { name: '::details-content', since: { chrome: 131, safari: 18.4, firefox: 143 }, use: /::details-content/ },
  { name: ':user-invalid', since: { chrome: 119, safari: 16.5, firefox: 88 }, use: /:user-(in)?valid/ },
  { name: ':state', since: { chrome: 125, safari: 17.4, firefox: 126 }, use: /:state\(/ },
  { name: ':has', since: { chrome: 105, safari: 15.4, firefox: 121 }, use: /:has\(/ },
];

/** The oldest browsers of a build target, such as `chrome111`. */
export function oldestOf(target: readonly string[]): Versions {
  const versionOf = (browser: string) => Number(target.find((one) => one.startsWith(browser))?.slice(browser.length));
  const versions = { chrome: versionOf('chrome'), safari: versionOf('safari'), firefox: versionOf('firefox') };
  if (Object.values(versions).some(Number.isNaN)) throw new Error(`Not a version of each browser: ${target}`);
  return versions;
}

/** What a script uses, without asking first, that one of these browsers lacks. */
export function scriptUses(text: string, oldest: Versions): string[] {
  return scripts
    .filter((each) => isNewer(each, oldest) && each.use.test(text) && !each.asked?.test(text))
    .map(({ name }) => name);
}

/** The selectors of a style sheet that would take others with them in one of these browsers. */
export function selectorUses(css: string, oldest: Versions): string[] {
  const forgiving = /:(is|where)\((?:[^()]|\([^()]*\))*\)/g;
  const rules = [...css.replace(forgiving, '').matchAll(/([^{};]*,[^{};]*)\{/g)].map(([, list = '']) => list);
  return selectors
    .filter((each) => isNewer(each, oldest))
    .flatMap(({ name, use }) => rules.filter((list) => use.test(list)).map((list) => `${name} in ${list.trim()}`));
}

function isNewer({ since }: Newer, oldest: Versions): boolean {
  const late = (first: number | null, version: number) => first === null || first > version;
  return late(since.chrome, oldest.chrome) || late(since.safari, oldest.safari) || late(since.firefox, oldest.firefox);
}
