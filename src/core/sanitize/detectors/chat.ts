import { alnum, alnumExactly, type Family, hexExactly, word } from './rows.ts';

const slack = '[A-Za-z0-9-]{10,}';

/** Chat, social networks and their webhooks. Only the secret end of a webhook's path is the secret. */
export const chat: Family = {
  tokens: [
    ['slack-bot-token', 'xoxb-', slack],
    ['slack-user-token', 'xoxp-', slack],
    ['slack-workspace-token', 'xoxa- xoxr- xoxo-', slack],
    ['slack-refresh-token', 'xoxe.xoxb- xoxe.xoxp- xoxe-', slack],
    ['slack-session-token', 'xoxs- xoxc- xoxd-', '[A-Za-z0-9%-]{10,}'],
    ['slack-app-token', 'xapp-', slack],
    ['slack-workflow-token', 'xwfp-', slack],
    [
      'slack-webhook',
      'hooks.slack.com/',
      '(?:services|workflows|triggers)/[A-Za-z0-9]{6,14}/[A-Za-z0-9]{6,20}/([A-Za-z0-9/]{16,})',
    ],
    [
      'discord-webhook',
      'discord.com/api/ discordapp.com/api/',
      '(?:v[0-9]{1,2}/)?webhooks/[0-9]{15,22}/([A-Za-z0-9_-]{40,})',
    ],
    [
      'teams-webhook',
      'webhook.office.com/webhookb2/',
      '[a-f0-9-]{36}@[a-f0-9-]{36}/IncomingWebhook/([a-f0-9]{32}/[a-f0-9-]{36})',
    ],
    [
      'google-chat-webhook',
      'chat.googleapis.com/v1/spaces/',
      '[A-Za-z0-9_-]{5,40}/messages\\?key=([A-Za-z0-9_-]{30,60})',
    ],
    ['zapier-webhook', 'hooks.zapier.com/hooks/catch/', '[0-9]{4,12}/([a-z0-9]{6,12})'],
    ['facebook-token', 'EAAC EAAB EAAG EAAM EAAD', alnum(60)],
    ['facebook-page-token', 'EAAJ EAAH EAAK EAAL', alnum(60)],
    ['instagram-token', 'IGQV IGAA', word(60)],
    ['x-bearer-token', 'AAAAAAAAAAAAAAAAAAAAA', '[A-Za-z0-9%]{60,}'],
    ['linkedin-secret', 'WPL_AP1.', '[A-Za-z0-9.]{14,}={0,2}'],
  ],
  assigned: [
    ['discord-token', 'discord', '[A-Za-z0-9_-]{23,28}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}'],
    ['discord-secret', 'discord', '[A-Za-z0-9_-]{32}(?![A-Za-z0-9_-])'],
    ['twitter-secret', 'twitter', '[A-Za-z0-9]{35,50}(?![A-Za-z0-9_-])'],
    ['facebook-secret', 'facebook', hexExactly(32)],
    ['twitch-secret', 'twitch', '[a-z0-9]{30}(?![A-Za-z0-9_-])'],
    ['reddit-secret', 'reddit', '[A-Za-z0-9_-]{27,30}(?![A-Za-z0-9_-])'],
    ['mattermost-token', 'mattermost', '[a-z0-9]{26}(?![A-Za-z0-9_-])'],
    ['zoom-secret', 'zoom', alnumExactly(32)],
    ['line-token', 'line_channel', '[A-Za-z0-9+/=]{32,}'],
    ['spotify-secret', 'spotify', hexExactly(32)],
  ],
  marked: [['telegram-bot-token', ':AA', 0, ':(AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])']],
};
