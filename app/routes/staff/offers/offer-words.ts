import type { ComponentProps } from 'react';
import { offerName } from '#app/features/companies/rules.ts';
import type { Pill } from '#app/ui/staff/typography.tsx';

type Look = ComponentProps<typeof Pill>['look'];

/** The state of a quote in a word. */
export const stateWords: Record<string, { text: string; look: Look }> = {
  draft: { text: 'Draft', look: 'open' },
  sent: { text: 'Sent', look: 'calm' },
  accepted: { text: 'Accepted', look: 'calm' },
  declined: { text: 'Declined', look: 'over' },
  over: { text: 'Over', look: 'over' },
  replaced: { text: 'Replaced', look: 'over' },
};

/** How staff call a quote: its number, or that it is a draft. */
export const quoteName = ({ number, version }: { number: number | null; version: number }): string =>
  number === null ? 'Draft' : offerName(number, version);

/** The number in an address; 0, which nothing has, for anything else. */
export const idOf = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);
