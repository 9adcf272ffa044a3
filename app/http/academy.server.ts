import { createContext } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import { academyToday, type Clock } from '#app/lib/clock.ts';
import type { Day } from '#app/lib/dates.ts';
import type { Forms } from './forms.server.ts';

/** The services for loaders and actions: database, clock, guards of forms and the academy's details. */
export type Academy = { db: Db; clock: Clock; forms: Forms; academy: () => MailAcademy };
export const academyContext = createContext<Academy>();

/** The time of a command, `today` being the day in Brisbane, and the academy as the mails name it. */
export type Moment = { now: Date; today: Day; academy: MailAcademy };

/** The time of a request or of one run of a job, read once, so that all its parts use the same time. */
export const momentOf = ({ clock, academy }: Pick<Academy, 'clock' | 'academy'>): Moment => ({
  now: clock.now(),
  today: academyToday(clock),
  academy: academy(),
});
