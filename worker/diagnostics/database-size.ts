import { databaseFill, isOver, reachedWarnings, type DatabaseFill } from "#domain/database-fill.ts";
import { utcDay } from "#domain/units.ts";
import {
  forgetDatabaseWarnings,
  listDatabaseWarnings,
  readDatabaseSize,
  saveDatabaseDay,
  saveDatabaseWarnings,
} from "../db/database-size.ts";
import { logWarning } from "../log.ts";
import { databaseFillsMessage } from "../mail/messages/operations.tsx";
import type { Services } from "../services.ts";

/** @param now epoch milliseconds */
export async function readDatabaseFill({ db, settings }: Services, now: number): Promise<DatabaseFill> {
  const { bytes, days } = await readDatabaseSize(db);
  return databaseFill(bytes, settings.databaseLimitBytes, days, now);
}

/**
 * Keeps the database's size of each day. Warns in the log and by a mail to the administrator, once each time that the
 * database reaches a percentage.
 * @param now epoch milliseconds
 */
export async function watchDatabase(services: Services, now: number): Promise<DatabaseFill> {
  const { db, outbox, settings } = services;
  const [fill, given] = await Promise.all([readDatabaseFill(services, now), listDatabaseWarnings(db)]);
  await saveDatabaseDay(db, { day: utcDay(now), bytes: fill.bytes });
  const over = given.filter((warning) => isOver(warning, fill));
  if (over.length > 0) await forgetDatabaseWarnings(db, over);
  const due = reachedWarnings(fill).filter((warning) => !given.includes(warning));
  if (due.length === 0) return fill;
  const mail = outbox.prepare(databaseFillsMessage(settings.contactEmail, fill, settings.origin));
  if (await saveDatabaseWarnings(db, due, mail, now)) {
    logWarning("database.fills", { ...fill });
    mail.send();
  }
  return fill;
}
