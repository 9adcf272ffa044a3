import { demand, type StaffActor } from '#app/features/people/actor.ts';
import type { Permission } from '#app/features/people/permissions.ts';

/** The acts of a run on each item: writing to a course date (P80), or to people chosen in a list, and others (P79). */
export type RunAct = 'message' | 'write' | 'remind' | 'ask-names' | 'more-time';
/** The acts on chosen enrolments; staff see the effects before the button. */
export const enrolmentActs = ['remind', 'ask-names', 'more-time'] as const;
export type EnrolmentAct = (typeof enrolmentActs)[number];

/** The name of the job that does runs, under which faults of their items are kept. */
export const jobOfRuns = 'do what was asked for many';

/** The permission for each act, checked at the press of the button and again when the job does an item. */
const takes: Record<RunAct, readonly [Permission, ...Permission[]]> = {
  message: ['mail:send', 'attendees:read'],
  write: ['mail:send', 'attendees:read'],
  remind: ['enrolments:change', 'mail:send'],
  'ask-names': ['enrolments:change', 'mail:send'],
  'more-time': ['money:agree', 'notes:write'],
};

/** The permission that a form of the act names. */
export const neededFor = (act: RunAct): Permission => takes[act][0];

/** Throws `NotPermitted` when the person may not do it. */
export function demandAct(actor: StaffActor, act: RunAct): void {
  for (const permission of takes[act]) demand(actor, permission);
}

/** Whether a person may do it now. Null is a person who is no longer staff. */
export const mayDo = (actor: StaffActor | null, act: RunAct): actor is StaffActor =>
  actor !== null && takes[act].every((permission) => actor.can.has(permission));

/** The most items of a run. */
export const mostItems = 5000;
