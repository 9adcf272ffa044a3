import { type MailAcademy, type RenderedMail, renderMail } from './layout.tsx';
import { subjectOf } from './subject.ts';

type ModuleAskedProps = {
  course: string;
  /** Number and title, such as `4. Analysis`. */
  module: string;
  /** The day in words. */
  by: string;
  link: string;
  academy: MailAcademy;
};

/** Asks an instructor for the text of a module that a learner has opened (P105). */
export function moduleAsked({ course, module, by, link, academy }: ModuleAskedProps): RenderedMail {
  return renderMail({
    subject: `Hand out a module of ${course}`,
    heading: 'A learner has opened a module without text',
    parts: [
      `Please write its reading and its exercise by the end of ${by}. We promised that to the learner.`,
      {
        facts: [
          ['Course', course],
          ['Module', module],
        ],
      },
      { action: 'Hand out the module', href: link },
    ],
    academy,
    reason: 'You get this because you teach this course.',
  });
}

type ModuleHandedOutProps = {
  /** Of the enrolment. */
  reference: string;
  course: string;
  /** Number and title, such as `4. Analysis`. */
  module: string;
  /** False while the invoice for the place is overdue. */
  opened: boolean;
  /** The attendee's page, which leads to the module. */
  link: string;
  academy: MailAcademy;
};

/** Tells a learner that the module they asked for is there (P105). */
export function moduleHandedOut({
  reference,
  course,
  module,
  opened,
  link,
  academy,
}: ModuleHandedOutProps): RenderedMail {
  return renderMail({
    subject: subjectOf('Your module is here', { title: course, reference }),
    heading: 'Your module is here',
    parts: [
      opened
        ? 'Your instructor has handed out the module you asked for. It is open now.'
        : 'Your instructor has handed out the module you asked for. You can open it once the overdue invoice for your place is paid.',
      {
        facts: [
          ['Course', course],
          ['Module', module],
        ],
      },
      { action: 'See your modules', href: link },
    ],
    academy,
    reason: 'You get this because you asked for a module of a course you study with us.',
  });
}

type ExerciseMarkedProps = {
  /** Of the enrolment. */
  reference: string;
  course: string;
  /** Number and title, such as `4. Analysis`. */
  module: string;
  accepted: boolean;
  /** The instructor's words; '' for none. */
  comment: string;
  by: string;
  /** The attendee's page, which leads to the module. */
  link: string;
  academy: MailAcademy;
};

/** Tells a learner that an instructor has read their exercise (P60). */
export function exerciseMarked({
  reference,
  course,
  module,
  accepted,
  comment,
  by,
  link,
  academy,
}: ExerciseMarkedProps): RenderedMail {
  return renderMail({
    subject: subjectOf(accepted ? 'Exercise accepted' : 'Exercise not accepted yet', { title: course, reference }),
    heading: accepted ? 'Your exercise is accepted' : 'Your exercise is not accepted yet',
    parts: [
      {
        facts: [
          ['Course', course],
          ['Module', module],
          ['Marked by', by],
        ],
      },
      ...(comment === '' ? [] : [comment]),
      ...(accepted ? [] : ['Change your answer and hand it in again on the page of the module.']),
      { action: 'See your modules', href: link },
    ],
    academy,
    reason: 'You get this because you handed in an exercise of a course you study with us.',
  });
}

type CertificateIssuedProps = {
  title: string;
  /** Days and hours of the course. */
  held: string;
  /** In fours. */
  number: string;
  link: string;
  academy: MailAcademy;
};

/** Tells a learner that their certificate is there (P64). It holds no link that shows the certificate to others. */
export function certificateIssued({ title, held, number, link, academy }: CertificateIssuedProps): RenderedMail {
  return renderMail({
    subject: subjectOf('Your certificate', { title, reference: number }),
    heading: 'Your certificate',
    parts: [
      'You have completed the course. Congratulations.',
      { treasure: title, lines: [held, `Certificate ${number}`] },
      { action: 'See your certificate', href: link },
      'On the page of your place you can print the certificate, add it to LinkedIn, and choose what people see who check its number. Until you choose, they see that it is valid, and not your name.',
      `Is your name wrong? You can correct it on the same page, or call ${academy.phone}.`,
    ],
    academy,
    reason: 'You get this because you completed a course with us.',
  });
}

type CertificateNameDecidedProps = {
  title: string;
  /** In fours; of the certificate that holds now. */
  number: string;
  taken: boolean;
  /** Why the old name stays, in the words of staff; '' when the new one was taken. */
  why: string;
  link: string;
  academy: MailAcademy;
};

/**
 * Tells the holder of a certificate whether we print the name that they asked for (P65). It repeats no name that
 * somebody typed.
 */
export function certificateNameDecided({
  title,
  number,
  taken,
  why,
  link,
  academy,
}: CertificateNameDecidedProps): RenderedMail {
  return renderMail({
    subject: subjectOf(taken ? 'Your certificate, new name' : 'Your certificate, name kept', {
      title,
      reference: number,
    }),
    heading: taken ? 'Your certificate has your new name' : 'Your certificate keeps its name',
    parts: [
      taken
        ? `We issued your certificate for ${title} again, with the corrected name. Its number is now ${number}. Anyone who looks up the old number sees that this one replaced it.`
        : `We did not change the name on your certificate for ${title}.`,
      ...(taken ? [] : [{ quote: why }, 'Your certificate is still valid. You can ask again, or answer this email.']),
      { action: 'See your certificate', href: link },
    ],
    academy,
    reason: 'You get this because you or our staff asked for another name on your certificate.',
  });
}

type CertificateRevokedProps = {
  title: string;
  /** In fours. */
  number: string;
  /** Such as `attendance had been recorded wrongly`. */
  why: string;
  /** The public page of the certificate. */
  page: string;
  academy: MailAcademy;
};

/** Tells the holder of a certificate that it does not hold any more, and why (P64). */
export function certificateRevoked({ title, number, why, page, academy }: CertificateRevokedProps): RenderedMail {
  return renderMail({
    subject: subjectOf('Your certificate, revoked', { title, reference: number }),
    heading: 'Your certificate is no longer valid',
    parts: [
      `We revoked your certificate ${number} for ${title}, because ${why}. Its page now says that, and since when.`,
      { action: 'See what its page says', href: page },
      `Please take it off your profiles and out of applications. If you think we are wrong, answer this email or call ${academy.phone}.`,
    ],
    academy,
    reason: 'You get this because a certificate of ours was issued to you.',
  });
}
