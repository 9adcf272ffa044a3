import { accountChanged } from './account-changed.ts';
import { accountClosed } from './account-closed.ts';
import { addressLink } from './address-link.ts';
import { emailCode } from './email-code.ts';
import type { RenderedMail } from './layout.tsx';
import { roleGranted } from './role-granted.ts';
import { roleTaken } from './role-taken.ts';
import { academy, token } from './sample-values.ts';
import { settingsChanged } from './settings-changed.ts';
import { signInLink } from './sign-in-link.ts';
import { signInsEnded } from './sign-ins-ended.ts';

const aRole = {
  name: 'Mara Singh',
  email: 'mara@example.com',
  role: 'admissions',
  by: 'Ada Byron',
  when: '8 Sept 2025, 9:00 AM',
  academy,
} as const;

/** The mails about accounts, sign-ins and roles, with sample data, by their kind. */
export const accountSamples: Readonly<Record<string, () => RenderedMail>> = {
  'account-changed': () =>
    accountChanged({
      what: 'A passkey was added.',
      when: 'Mon 8 Sept 2025, 9:00 AM',
      browser: 'Firefox on Linux',
      undo: { link: `${academy.url}/login/undo?token=${token}`, day: 'Monday 15 September 2025' },
      academy,
    }),
  'account-closed': () =>
    accountClosed({
      day: 'Monday 15 September 2025',
      when: 'Mon 8 Sept 2025, 9:00 AM',
      browser: 'Firefox on Linux',
      link: `${academy.url}/login/undo?token=${token}`,
      academy,
    }),
  'address-link': () =>
    addressLink({
      link: `${academy.url}/account/address?token=${token}`,
      minutes: 60,
      academy,
    }),
  'sign-in-link': () =>
    signInLink({
      audience: 'player',
      link: `${academy.url}/login/link?token=${token}`,
      minutes: 15,
      code: '482913',
      codeMinutes: 10,
      academy,
    }),
  'sign-in-link-staff': () =>
    signInLink({
      audience: 'staff',
      link: `${academy.url}/staff/sign-in/confirm?token=${token}`,
      minutes: 15,
      code: null,
      codeMinutes: 10,
      academy,
    }),
  'role-granted': () => roleGranted(aRole),
  'role-taken': () => roleTaken(aRole),
  'settings-changed': () =>
    settingsChanged({
      changed: ['Email'],
      by: 'Ada Byron',
      when: '8 Sept 2025, 9:00 AM',
      link: `${academy.url}/staff/content/site`,
      academy,
    }),
  'sign-ins-ended': () =>
    signInsEnded({ reason: 'your phone or computer was lost', when: '8 Sept 2025, 9:00 AM', academy }),
  'email-code': () => emailCode({ code: '427 916', minutes: 15, academy }),
};
