import { findChromium } from '#scripts/support/chromium.ts';

/** Playwright's own, which ours would take the place of: without them the browser has no mouse. */
const mouse = 'primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4';

/** How Chromium is started; pictures are shown to the tests about them only: they are a quarter of what a list costs. */
export const chromiumOptions = ({ pictures }: { pictures: boolean }) => ({
  executablePath: findChromium('shell') ?? '',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    ...(pictures ? [] : [`--blink-settings=${mouse},imagesEnabled=false`]),
  ],
});
