void aiplayer_1155000000(int **game_board, int size);
