import { createContext } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import type { MailAcademy } from '#app/emails/layout.tsx';
import type { Clock } from '#app/lib/clock.ts';
import type { Forms } from './forms.server.ts';

/** What loaders and actions need of the program: its database, its clock, the guards of forms and the academy's details. */
export type Academy = { db: Db; clock: Clock; forms: Forms; academy: () => MailAcademy };
export const academyContext = createContext<Academy>();
