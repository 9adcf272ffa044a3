import { makeEnrolmentLink } from '#app/features/enrolments/links.server.ts';
import { type Role, roles } from '#app/features/people/permissions.ts';
import type { AcademyApp } from './academy-app.ts';
import { attends, issued } from './certificates.ts';
import { everyForm, type FormPages, formsAt } from './every-form.ts';
import { inNovember, makePast, type Past, signInPlayer } from './players.ts';
import type { Browser } from './sign-in.ts';
import { type SignedIn, signInStaff } from './staff.ts';
import { staffActs } from './who-may-send.ts';

/** An act of a form for staff, on a page that has something to act on. */
type StaffAct = { file: string; act: string; to: string; fields: Record<string, string> };

export type WrongOnes = {
  /** One of each role; the instructor teaches no class of the others, and none of the courses. */
  staff: Record<Role, SignedIn>;
  /** Every act of every form for staff. */
  forms: StaffAct[];
  /** A private link of each kind. */
  tokens: Map<string, string>;
  /** What Grace bought, studied and finished. */
  past: Past;
  gracesAttendee: number;
  grace: Browser;
  /** A player with a certificate of the same class. */
  eve: Browser;
  /** Names of private links: Grace's as buyer and as who attends, that of who attends with her, Eve's two. */
  link: Record<'buyer' | 'attends' | 'beside' | 'evesBuyer' | 'eves', string>;
};

/** One academy with everybody who may send something, so that each can try what is for the others. */
export async function makeWrongOnes(academy: AcademyApp, from: () => string): Promise<WrongOnes> {
  const { db } = academy.database;
  const signedIn: [Role, SignedIn][] = [];
  for (const role of roles) {
    const granted = { role, ...(role === 'instructor' && { teachesAs: 'yuki-tanabe' }) };
    signedIn.push([role, await signInStaff(academy, `${role}@example.com`, `Ada ${role}`, granted)]);
  }
  const staff = Object.fromEntries(signedIn) as Record<Role, SignedIn>;
  const pages = await everyForm(academy, staff.owner, from);
  pages.set('staff/people/person.tsx', [{ address: `/staff/people/${staff.reader.id}` }]);
  const forms = await staffForms(academy, staff.owner, pages);
  const { number } = await db.selectFrom('certificates').select('number').executeTakeFirstOrThrow();
  // What those who may send the form need to get as far as what it is about.
  for (const { act, fields } of forms) {
    if (act === 'undo') fields.number = number;
    if (act === 'all') fields.day = '2025-11-03';
  }

  academy.setNow(inNovember.now);
  const past = await makePast(db, 'grace@players.example');
  const eves = await attends(db, past.finished.class, { name: 'Eve', email: 'eve@players.example' });
  await issued(db, eves.placeId, inNovember);
  const { person_id: evesId } = await db
    .selectFrom('person_emails')
    .select('person_id')
    .where('email', '=', 'eve@players.example')
    .executeTakeFirstOrThrow();
  const attendees = await db
    .selectFrom('attendees')
    .innerJoin('places', 'places.enrolment_id', 'attendees.enrolment_id')
    .select(['attendees.id', 'attendees.enrolment_id as enrolment', 'attendees.email'])
    .where('places.id', '=', past.finished.placeId)
    .execute();
  const own = attendees.find(({ email }) => email === past.email);
  const beside = attendees.find(({ email }) => email !== past.email);
  if (!own || !beside) throw new Error('two attend the class');
  return {
    staff,
    forms,
    tokens: privateLinks(pages),
    past,
    gracesAttendee: own.id,
    grace: await signInPlayer(academy, past.personId),
    eve: await signInPlayer(academy, evesId),
    link: {
      buyer: await makeEnrolmentLink(db, own.enrolment),
      attends: await makeEnrolmentLink(db, own.enrolment, own.id),
      beside: await makeEnrolmentLink(db, own.enrolment, beside.id),
      evesBuyer: await makeEnrolmentLink(db, eves.enrolmentId),
      eves: await makeEnrolmentLink(db, eves.enrolmentId, eves.attendeeId),
    },
  };
}

/** The acts that pages show to an owner, and those that they show only when there is something to do, with no fields. */
async function staffForms(academy: AcademyApp, owner: SignedIn, pages: FormPages): Promise<StaffAct[]> {
  const forms = new Map<string, StaffAct>();
  for (const [file, acts] of Object.entries(staffActs)) {
    for (const page of pages.get(file) ?? []) {
      for (const { to, fields } of await formsAt(academy, owner, page)) {
        const { act = '' } = fields;
        // Fields that are not from the page may hold an act that it does not know.
        if (page.fields && acts[act] === undefined) continue;
        const { pathname, search } = new URL(to, `http://localhost:3000${page.address}`);
        forms.set(`${file} ${act}`, { file, act, to: pathname + search, fields });
      }
    }
    const to = pages.get(file)?.[0]?.address ?? '';
    for (const act of Object.keys(acts)) {
      const fields = { form: crypto.randomUUID(), seen: '0', act };
      if (!forms.has(`${file} ${act}`)) forms.set(`${file} ${act}`, { file, act, to, fields });
    }
  }
  return [...forms.values()];
}

/** By what stands before it in the address, such as `booking`. */
const privateLinks = (pages: FormPages): Map<string, string> =>
  new Map(
    [...pages.values()].flat().flatMap(({ address }) => {
      const [, kind, token] = /^\/(enrol|enrolment|place|booking|waiting|chat)\/([0-9a-f]{40,})/.exec(address) ?? [];
      return kind && token ? [[kind, token] as const] : [];
    }),
  );
