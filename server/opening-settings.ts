import type { Settings } from '#app/env.server.ts';
import type { OpeningSettings } from '#app/features/catalogue/site/opening.ts';

/** The settings that the list before the opening checks. */
export const openingSettingsOf = ({ smtp, inboundMail, baseUrl, today }: Settings): OpeningSettings => ({
  hasMailServer: smtp !== undefined,
  takesEmail: inboundMail !== null,
  baseUrl,
  clockIsSet: today !== undefined,
});
