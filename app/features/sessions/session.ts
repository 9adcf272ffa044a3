import type { CourseCard } from '#app/features/catalogue/catalogue.ts';
import type { Delivery } from '#app/lib/delivery.ts';

/** Days and times are wall-clock in `zone`, an IANA name (P14). Price and level are the course's (P1). */
export type TrainingSession = {
  id: number;
  slug: string;
  course: CourseCard;
  startDate: string;
  endDate: string;
  startTime: string;
  endTime: string;
  /** Of each day, not taught. */
  breakMinutes: number;
  zone: string;
  delivery: Delivery;
  /** The city of the room, null when it is online only. */
  venue: string | null;
  instructor: string;
  /** Until the seat ledger opens (P27), every seat on offer. */
  seatsAvailable: number;
};
