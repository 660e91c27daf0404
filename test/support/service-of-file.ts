/** A service for the tests of one file. */
import { afterAll } from "bun:test";
import { Service } from "./service.ts";

/** Starts a service with these settings; it is stopped after the last test of the file. */
export async function serviceOfFile(env: Readonly<Record<string, string>> = {}): Promise<Service> {
  const service = await Service.start(env);
  afterAll(() => service.stop());
  return service;
}
