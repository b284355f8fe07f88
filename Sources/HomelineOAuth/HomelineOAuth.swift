// HomelineOAuth
