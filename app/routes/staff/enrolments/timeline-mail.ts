import { href } from 'react-router';
import type { TimelineRows } from '#app/features/inbox/enrolment-timeline.server.ts';
import { showControlCharacters as clean } from '#app/lib/show-control-characters.ts';
import type { Words } from '#app/ui/staff/timeline.tsx';
import type { Dated } from './dated.ts';

export type Mail = {
  id: string;
  recipient: string;
  subject: string;
  state: string;
  reason: string | null;
  queued_at: Date;
};

/** The mails of one act together: they were queued in one transaction, at one instant. */
export function ofMails(mails: readonly Mail[]): Dated[] {
  const groups = Map.groupBy(mails, ({ queued_at, subject }) => `${queued_at.getTime()} ${subject}`);
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const all = [first, ...others];
    const to = [...new Set(all.map(({ recipient }) => clean(recipient)))].join(', ');
    const words = [`sent “${clean(first.subject)}” to ${to}. `, arrival(all)];
    return [{ key: `mail-${first.id}`, who: 'program', by: 'Program', at: first.queued_at, words }];
  });
}

/**
 * What people wrote by email about the enrolment. Anybody but the buyer has the name that their mail program gave, with
 * the address: names are whatever a sender likes.
 */
export function ofEmails({ emails }: TimelineRows, buyer: Pick<Dated, 'who' | 'by'>, address: string): Dated[] {
  return emails.map(({ id, reference, first_name, email, subject, created_at }) => ({
    key: `email-${id}`,
    ...(email.toLowerCase() === address.toLowerCase()
      ? buyer
      : { who: 'buyer', by: `${clean(first_name)} (${clean(email)})` }),
    at: created_at,
    words: [
      'wrote an email: ',
      { text: clean(subject) || 'No subject', to: href('/staff/enquiries/:reference', { reference }) },
    ],
  }));
}

function arrival(mails: readonly Mail[]): Words {
  const failed = mails.filter(({ state }) => state === 'failed');
  if (failed.length > 0) {
    const [first] = failed;
    const who = mails.length > 1 ? `${failed.length} of ${mails.length} did not arrive` : 'It did not arrive';
    return { bad: first?.reason ? `${who}: ${clean(first.reason)}` : who };
  }
  const withdrawn = mails.filter(({ state }) => state === 'dropped');
  if (withdrawn.length > 0) {
    const [first] = withdrawn;
    const who = mails.length > 1 ? `We withdrew ${withdrawn.length} of ${mails.length}` : 'We withdrew it';
    return first?.reason ? `${who}: ${clean(first.reason)}` : who;
  }
  return mails.some(({ state }) => state === 'queued') ? 'On its way' : 'Delivered';
}
