import type { MailAcademy } from '#app/emails/layout.tsx';
import type { Day } from '#app/lib/dates.ts';

/**
 * When and for whom a command runs. `now` is the academy's time and `today` its day in Brisbane, which a setting may
 * fix; `at` is the true time, which is stored.
 */
export type Circumstances = { now: Date; today: Day; at: Date; academy: MailAcademy };
