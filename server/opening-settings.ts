import type { Settings } from '#app/env.server.ts';
import type { OpeningSettings } from '#app/features/site/opening.ts';

/** The settings that the list before the opening checks. */
export const openingSettingsOf = ({ smtp, baseUrl, today }: Settings): OpeningSettings => ({
  hasMailServer: smtp !== undefined,
  baseUrl,
  clockIsSet: today !== undefined,
});
