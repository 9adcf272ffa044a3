import { demonstrations } from './demonstrations.ts';

/** One question of a demonstration, to answer in the page. */
export type Moment = {
  /** The demonstration, which shows the rest. */
  id: string;
  lead: string;
  courseSlug: string;
  lines: readonly string[];
  question: string;
  /** Each with the instructor's note on it. */
  choices: readonly { answer: string; note: string }[];
};

type Question = Pick<Moment, 'question' | 'choices'> & {
  /** How many steps of the demonstration one sees before it. */
  after: number;
};

const questions: Record<string, Question> = {
  'audit-interview': {
    after: 3,
    question: 'AI-09 was in use for two months before its approval. What do you say next?',
    choices: [
      {
        answer: 'That is a nonconformity.',
        note: 'Not yet. You know what happened, but not why. Said now, it closes the conversation in which the cause would come out.',
      },
      {
        answer: 'What happened with AI-09?',
        note: 'Yes. Facts first, then an open question. The answer leads to the cause: a trial that nobody was told about.',
      },
      {
        answer: 'Is your procedure good enough?',
        note: 'That asks for an opinion, and the honest answer would be “yes”. An auditor asks for facts and draws the conclusion.',
      },
    ],
  },
  triage: {
    after: 2,
    question: 'What do you do first?',
    choices: [
      {
        answer: 'Close it: Word starts other software now and then.',
        note: 'Not this one. The document came by email a minute before, and the command is encoded. Close it, and the one early sign is gone.',
      },
      {
        answer: 'Decode the command.',
        note: 'Yes. It fetches a script from 203.0.113.44 and runs it: no false positive. And you have an address to look for elsewhere.',
      },
      {
        answer: 'Cut the laptop off the network.',
        note: 'Soon. Decode the command first: that takes half a minute, and the address in it leads to a second laptop without an alert.',
      },
    ],
  },
  'pipeline-finding': {
    after: 2,
    question: 'The key has been pushed. What comes first?',
    choices: [
      {
        answer: 'Delete the line and push again.',
        note: 'The key would stay in the history, and it would stay valid. The branch would only look clean.',
      },
      {
        answer: 'Revoke the key.',
        note: 'Yes. From then on it is worthless to anyone who has read it. The history can wait.',
      },
      {
        answer: 'Ask who committed it.',
        note: 'Later, and without blame. Until the key is revoked, anyone with access to the repository can use it.',
      },
    ],
  },
};

/** The moment of a course; null for a course without one. */
export function momentOf(courseSlug: string): Moment | null {
  const demonstration = demonstrations.find((one) => one.courseSlug === courseSlug);
  const asked = demonstration && questions[demonstration.id];
  if (!asked) return null;
  const { id, lead, steps } = demonstration;
  const { after, question, choices } = asked;
  return { id, lead, courseSlug, lines: steps.slice(0, after).flatMap(({ lines }) => lines), question, choices };
}
