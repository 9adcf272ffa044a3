import type { Settings } from '#app/env.server.ts';
import type { OpeningSettings } from '#app/features/site/opening.ts';

/** What of the settings the list of what is left before opening looks at. */
export const openingSettingsOf = ({ smtp, baseUrl, today }: Settings): OpeningSettings => ({
  hasMailServer: smtp !== undefined,
  baseUrl,
  clockIsSet: today !== undefined,
});
