/** The percent of the minutes taught that complete a dated course which says no other; `completion_of_course` has it too. */
export const usualAttendance = 80;
