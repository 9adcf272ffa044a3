import type { Day } from '#app/lib/dates.ts';

/** How long an offer stands from when the mail server took its message (P48). */
export const offerMs = 72 * 60 * 60 * 1000;

/** Why an entry of a waiting list was closed. */
export type ClosedWhy = 'bought' | 'declined' | 'lapsed' | 'left' | 'staff' | 'over' | 'undeliverable';

/** Seats offered to an entry, held for it. */
export type WaitingOffer = {
  id: number;
  sessionId: number;
  holdId: number;
  seats: number;
  madeAt: Date;
  /** Null until the message was taken by the mail server. */
  until: Date | null;
};

/** An entry of a waiting list (P48): of a training session, or of a course for its next date. */
export type WaitingEntry = {
  id: number;
  reference: string;
  courseId: number;
  /** Null on a course's list. */
  sessionId: number | null;
  seats: number;
  name: string;
  email: string;
  /** Set when places were bought that wait for their date; they are offered dates without a payment. */
  enrolmentId: number | null;
  joinedAt: Date;
  /** Staff withdrew its offer: it is offered seats by hand only. */
  pausedAt: Date | null;
  closedAt: Date | null;
  closedWhy: ClosedWhy | null;
  /** The one that is open. */
  offer: WaitingOffer | null;
};

/** A training session as mails and pages of waiting lists name it. */
export type WaitingSession = { id: number; slug: string; when: string; where: string; enrolmentEndsOn: Day };

/** The private page of an entry. */
export const waitingPath = (token: string): string => `/waiting/${token}`;
