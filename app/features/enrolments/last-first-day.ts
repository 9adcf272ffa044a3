import { type Day, yearAfter } from '#app/lib/dates.ts';

/** The last day on which a date may begin to which a place is moved today: within twelve months, as /terms say (P40). */
export const lastFirstDay = (today: Day): Day => yearAfter(today);
