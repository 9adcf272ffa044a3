import type { Trx } from '#app/db/client.server.ts';
import type { Academy } from '#app/http/academy.server.ts';
import type { Refusal, Refuse } from '#app/http/take-form.server.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import type { Draft } from './drafts.server.ts';
import type { OpenDraft } from './open-draft.ts';

/** `to` is the address to go on to. */
export type StepResult = { ok: true; to: string } | Refusal;

/** The form of a step that somebody sent to go on. `address` is the network address it came from. */
export type SentStep = {
  values: FormValues;
  /** The fields that the draft keeps. */
  kept: FormValues;
  refuse: Refuse;
  opened: OpenDraft;
  address: string;
  token: string;
};

/** A step of an enrolment with a form that `takeStep` takes. */
export type StepForm = {
  /** The fields that the draft keeps as they were typed, also with errors. A code is never stored. */
  fields: (opened: OpenDraft) => readonly string[];
  /**
   * Whether the draft has all that the step asks for. Somebody can open the steps up to the first that is not complete.
   */
  isComplete: (opened: Omit<OpenDraft, 'reached'>) => boolean;
  /** Checks the form and does the acts of the step besides storing it. Null leads on to the next step. */
  take: (trx: Trx, academy: Academy, sent: SentStep) => Promise<StepResult | null> | StepResult | null;
  /** Runs when somebody goes on to the step. Returns the query of its address, such as `?code=limit`, or ''. */
  enter?: (trx: Trx, academy: Academy, entered: { draft: Draft; address: string }) => Promise<string>;
  /** The parts that the last step shows; none by default. */
  reviewed?: (opened: OpenDraft) => ReviewedPart[];
};

/** A part of the draft as the review shows it. */
export type ReviewedPart = { title: string; rows: ReviewedRow[] };

/** A name and its value, which can have several lines. `plain`: the value needs no name beside it. */
export type ReviewedRow = { name: string; value: string; plain?: boolean };
