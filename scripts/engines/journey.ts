import { setTimeout as sleep } from 'node:timers/promises';
import type { Visitor } from './engine.ts';
import { differingText, heardErrors } from './texts.ts';

type Step = { name: string; take(visitor: Visitor): Promise<void> };

/** A form sent within two seconds counts as a machine's (P24). */
const age = () => sleep(2200);

const steps: Step[] = [
  {
    name: 'home',
    async take(visitor) {
      await visitor.open('/');
      await sameText(visitor);
    },
  },
  {
    name: 'filter',
    async take(visitor) {
      await visitor.open('/courses');
      await visitor.choose('select[name=category]', 'soc');
      await visitor.at(/^\/courses\?category=soc$/);
      await visitor.holds(() => document.querySelectorAll('main article').length < 24);
      await visitor.press('main article:last-of-type a[href^="/course/"]');
      await visitor.at(/^\/course\//);
      await visitor.press('main a', 'Back to Courses');
      await visitor.at(/^\/courses\?category=soc$/);
      // The course has one card at most; a list fades in after its address has changed.
      await visitor.holds(() => document.querySelectorAll('main article').length > 1);
      await visitor.settled();
    },
  },
  {
    name: 'calendar in dark',
    async take(visitor) {
      await visitor.press('label', 'Dark');
      await visitor.holds(() => document.documentElement.dataset.scheme === 'dark');
      await visitor.open('/training-calendar');
      await sameText(visitor);
      const [scheme, brightest] = await visitor.run(() => {
        const pen = document.createElement('canvas').getContext('2d');
        if (!pen) throw new Error('No canvas');
        pen.fillStyle = getComputedStyle(document.body).backgroundColor;
        pen.fillRect(0, 0, 1, 1);
        const [red = 255, green = 255, blue = 255] = pen.getImageData(0, 0, 1, 1).data;
        return [document.documentElement.dataset.scheme, Math.max(red, green, blue)] as const;
      });
      if (scheme !== 'dark' || brightest > 80) throw new Error(`The page is not dark: ${scheme}, ${brightest}`);
    },
  },
  {
    name: 'enrolment',
    async take(visitor) {
      await visitor.open('/enrol?course=cissp');
      await sameText(visitor);
      await visitor.press('main label:has(input[name=choice]), main label:has(input[type=radio])');
      await visitor.press('main button[type=submit], main button:not([type])', 'Continue');
      await visitor.at(/^\/enrol\/[0-9a-f]{48}/);
      await visitor.taken();
    },
  },
  {
    name: 'chat',
    async take(visitor) {
      await visitor.open('/chat');
      await visitor.fill('main textarea', 'Is the Melbourne date certain?');
      await age();
      await visitor.press('main button', 'Start Chat');
      await visitor.holds(() => document.querySelector('[role=log]')?.textContent?.includes('Melbourne') ?? false);
      await visitor.taken();
      await visitor.fill('main textarea', 'Thank you.\n');
      await visitor.holds(() => document.querySelector('[role=log]')?.textContent?.includes('Thank you.') ?? false);
    },
  },
];

async function sameText(visitor: Visitor): Promise<void> {
  const difference = await differingText(visitor);
  if (difference) throw new Error(difference);
}

/** Takes every step, in one tab, and throws at the first that fails or when anything was reported on the way. */
export async function smokeJourney(visitor: Visitor, after?: (step: string) => Promise<unknown>): Promise<void> {
  for (const { name, take } of steps) {
    await take(visitor).catch((error: unknown) => {
      throw new Error(`${name}: ${error instanceof Error ? error.message : error}`);
    });
    await after?.(name);
  }
  const errors = await heardErrors(visitor);
  if (errors.length > 0) throw new Error(errors.join('\n'));
}
