import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Permission } from '#app/features/people/permissions.ts';

/** The acts on the buyers of enrolments. */
export const buyerActs = ['remind', 'ask-names'] as const;
export type BuyerAct = (typeof buyerActs)[number];
export type BulkAct = BuyerAct | 'message';

/** The most rows, and the most emails, of a bulk action (P101). */
export const mostAtOnce = 500;

const permissions: Record<BulkAct, readonly [Permission, ...Permission[]]> = {
  message: ['mail:send', 'attendees:read'],
  remind: ['enrolments:change', 'mail:send'],
  'ask-names': ['enrolments:change', 'mail:send'],
};

/** The permission that a form of the act names. */
export const neededFor = (act: BulkAct): Permission => permissions[act][0];

/** Throws `NotPermitted` when the person may not do it, and may not take it back. */
export function requireAct(actor: StaffActor, act: BulkAct): void {
  for (const permission of permissions[act]) requirePermission(actor, permission);
}
