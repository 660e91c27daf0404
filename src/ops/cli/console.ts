/** `npm run console`: prints a link that signs a browser in to the operator console. */
import { ACCESS_HELP } from "./access.ts";
import { command, type OperatorProgram } from "./command.ts";

interface ConsoleLink {
  readonly url: string;
  readonly expires_at: string;
}

export const consoleProgram: OperatorProgram = {
  call: "npm run console --",
  namesTenant: true,
  commands: [
    command({
      name: "",
      summary: "Prints a link that signs a browser in to the operator console, once.",
      options: {},
      note: ACCESS_HELP,
      async run({ api, terminal }) {
        const { data } = await (await api()).post<ConsoleLink>("/v1/admin/console-links");
        terminal.out(`${data.url}\n`);
        terminal.err(`Open it in a browser before ${data.expires_at}. It works once.\n`);
        return 0;
      },
    }),
  ],
};
