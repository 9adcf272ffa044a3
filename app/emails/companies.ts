import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type ManagerNamedProps = {
  /** The organisation. */
  name: string;
  /** Who named them. */
  by: string;
  /** The address that was named. */
  email: string;
  link: string;
  academy: MailAcademy;
};

/** Tells somebody that they manage an organisation, and how to get there (P116). */
export function managerNamed({ name, by, email, link, academy }: ManagerNamedProps): RenderedMail {
  return renderMail({
    subject: `You manage the training of ${name}`,
    heading: `You manage ${name} here`,
    parts: [
      `${by} made you a manager of ${name}. Log in with ${email}, and we email you a code. Then you see who of ${name} attends what, and its quotes and invoices, and can change its enrolments.`,
      { action: 'Log in', href: link },
      `You do not know ${name}? Then do nothing, and tell us by replying to this email.`,
    ],
    academy,
    reason: `You get this because a manager of ${name} named this address.`,
  });
}

type OrganisationAskedProps = {
  /** The organisation. */
  name: string;
  /** Who bought the enrolment, and their address. */
  buyer: string;
  email: string;
  /** Of the enrolment, `BB-7KQ2MX`. */
  reference: string;
  title: string;
  link: string;
  academy: MailAcademy;
};

/** Asks a manager whether an enrolment that a colleague bought belongs to the organisation (P110). */
export function organisationAsked({
  name,
  buyer,
  email,
  reference,
  title,
  link,
  academy,
}: OrganisationAskedProps): RenderedMail {
  return renderMail({
    subject: `Does ${reference} belong to ${name}?`,
    heading: 'A colleague asks you',
    parts: [
      `${buyer} bought ${title} in the name of ${name} and asks you to take it. Then you see its people, dates and invoices, and can change them. Check the address first: anybody can type an ABN.`,
      {
        facts: [
          ['Bought by', buyer],
          ['Address', email],
          ['Enrolment', reference],
        ],
      },
      { action: 'Log in and answer', href: link },
      'If you do not know this person, answer “No”. Nothing changes for you then.',
    ],
    academy,
    reason: `You get this because you manage ${name} here.`,
  });
}

type OrganisationAnsweredProps = {
  /** The organisation. */
  name: string;
  /** Of the enrolment, `BB-7KQ2MX`. */
  reference: string;
  title: string;
  taken: boolean;
  link: string;
  academy: MailAcademy;
};

/** Tells a buyer what the managers of their organisation answered (P110). */
export function organisationAnswered({
  name,
  reference,
  title,
  taken,
  link,
  academy,
}: OrganisationAnsweredProps): RenderedMail {
  return renderMail({
    subject: taken ? `${name} took ${reference}: ${title}` : `${name} left ${reference} with you: ${title}`,
    heading: taken ? `${name} took your enrolment` : 'Your enrolment stays with you',
    parts: [
      taken
        ? `The managers of ${name} now see ${title} too, and can change it. You still can: your link works as before.`
        : `A manager of ${name} did not take ${title}. It stays yours alone, and nothing else changes.`,
      { action: 'Open your enrolment', href: link },
    ],
    academy,
    reason: 'You get this because you asked for it on the page of your enrolment.',
  });
}

type NamesAskedProps = {
  reference: string;
  title: string;
  /** The first day of the course that comes next, `13 October`. */
  starts: string;
  /** That course with its days, in words. */
  course: string;
  when: string;
  /** How many attendees have no name, and how many there are. */
  missing: number;
  all: number;
  link: string;
  academy: MailAcademy;
};

/** Asks the buyer who attends the places that have no name yet (P31). */
export function namesAsked(props: NamesAskedProps): RenderedMail {
  const { reference, title, starts, course, when, missing, all, link, academy } = props;
  const whose =
    all === 1
      ? 'We do not know yet who attends.'
      : missing === 1
        ? `1 of your ${all} attendees has no name yet.`
        : `${missing} of your ${all} attendees have no name yet.`;
  return renderMail({
    subject: subjectOf('Please name who attends', { title, day: starts, reference }),
    heading: 'Please tell us who attends',
    parts: [
      `${whose} Please enter ${missing === 1 ? 'the name and email address' : 'their names and email addresses'} before ${starts}.`,
      { panel: course, lines: [when] },
      { action: 'Enter who attends', href: link },
      'We then email each of them how to join. The certificate has the name that you enter.',
      { note: `If you have questions, please quote ${reference}.` },
    ],
    academy,
    reason: 'You get this because you placed this enrolment.',
  });
}

type SeatClaimedProps = {
  reference: string;
  title: string;
  /** Who asks for a seat: a name that can be nothing else (P24). */
  name: string;
  email: string;
  /** The buyer's page. */
  link: string;
  academy: MailAcademy;
};

/** Asks a buyer whether somebody who opened the claim link gets a seat (P115). */
export function seatClaimed({ reference, title, name, email, link, academy }: SeatClaimedProps): RenderedMail {
  return renderMail({
    subject: `${name} asks for a seat: ${title}, ${reference}`,
    heading: 'Does this person get a seat?',
    parts: [
      `${name} opened your claim link and asks for one of your seats on ${title}. The address is confirmed.`,
      {
        facts: [
          ['Name', name],
          ['Email', email],
          ['Enrolment', reference],
        ],
      },
      { action: 'Open the enrolment', href: link },
      'There, “Add all names” shows who asks, with a button for yes and one for no. Until you say yes, the seat stays free.',
    ],
    academy,
    reason: 'You get this because you placed this enrolment.',
  });
}
